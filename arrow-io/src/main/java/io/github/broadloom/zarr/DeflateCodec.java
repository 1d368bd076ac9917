package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;

/** Deflated data in the frame of zlib or of gzip. */
record DeflateCodec(Frame frame, int level) implements ByteCodec {
    enum Frame {
        ZLIB("zlib"),
        GZIP("gzip");

        private final String codec;

        Frame(String codec) {
            this.codec = codec;
        }
    }

    private static final int PIECE_BYTES = 1 << 16;
    /** Magic number, deflate, no flags, no time, no level, and an unknown system: the same bytes always. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    @Override
    public String name() {
        return frame.codec;
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        if (frame == Frame.ZLIB) {
            inflate(source, target);
        } else {
            gunzip(source, target);
        }
    }

    static void inflate(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(source.duplicate());
            while (target.hasRemaining() && !inflater.finished()) {
                if (inflater.inflate(target) == 0 && !inflater.finished()) {
                    throw new DamagedBytes("its zlib data ends too early");
                }
            }
            if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
                throw tooLong("zlib");
            }
            if (!inflater.finished()) {
                throw new DamagedBytes("its zlib data ends too early");
            }
        } catch (DataFormatException e) {
            throw new DamagedBytes("its zlib data is damaged (" + e.getMessage() + ")", e);
        } finally {
            inflater.end();
        }
    }

    private static DamagedBytes tooLong(String codec) {
        return new DamagedBytes("its " + codec + " data holds more than belongs there");
    }

    private static void gunzip(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        try (GZIPInputStream in = new GZIPInputStream(new BufferInput(source.duplicate()), PIECE_BYTES)) {
            byte[] piece = new byte[PIECE_BYTES];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                if (read > target.remaining()) {
                    throw tooLong("gzip");
                }
                target.put(piece, 0, read);
            }
        } catch (EOFException e) {
            throw new DamagedBytes("its gzip data ends too early", e);
        } catch (IOException e) {
            throw new DamagedBytes("its gzip data is damaged (" + e.getMessage() + ")", e);
        }
    }

    private static final class BufferInput extends InputStream {
        private final ByteBuffer bytes;

        BufferInput(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length > 0 && !bytes.hasRemaining()) {
                return -1;
            }
            int count = Math.min(length, bytes.remaining());
            bytes.get(target, offset, count);
            return count;
        }

        @Override
        public int available() {
            return bytes.remaining();
        }
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        boolean gzip = frame == Frame.GZIP;
        if (gzip) {
            target.put(GZIP_HEADER);
        }
        Deflater deflater = new Deflater(level, gzip);
        try {
            deflater.setInput(source.duplicate());
            deflater.finish();
            while (!deflater.finished()) {
                if (deflater.deflate(target) == 0 && !target.hasRemaining()) {
                    throw new IllegalStateException("No room for deflated data");
                }
            }
        } finally {
            deflater.end();
        }
        if (gzip) {
            CRC32 crc = new CRC32();
            crc.update(source.duplicate());
            target.order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue()).putInt(source.remaining());
        }
    }

    @Override
    public long mostEncoded(long bytes) {
        return bytes + bytes / 1000 + 64; // zlib's deflateBound, and the frame
    }

    /** What zlib documents. */
    @Override
    public long mostDecoded(long bytes) {
        return bytes * 1032;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("level", level);
    }
}
