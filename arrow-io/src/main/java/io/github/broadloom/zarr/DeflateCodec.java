package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Deflated;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

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

    /** Magic number, deflate, no flags, no time, no level, and an unknown system: the same bytes always. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    @Override
    public String name() {
        return frame.codec;
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        if (frame == Frame.ZLIB) {
            Deflated.decodeZlib(source, target);
        } else {
            Deflated.decodeGzip(source, target);
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

    @Override
    public long mostDecoded(long bytes) {
        return bytes * Deflated.MOST_OF_ONE;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("level", level);
    }
}
