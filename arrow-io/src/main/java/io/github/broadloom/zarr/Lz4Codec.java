package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** LZ4 blocks as numcodecs frames them: four bytes with the number of bytes that they hold, and one block. */
record Lz4Codec(int acceleration) implements ByteCodec {
    private static final int HEADER_BYTES = 4;

    /** The library's fastest way of reading is one without checks of what it reads. */
    private static final class Checked {
        static final LZ4Factory FACTORY = factory();

        private static LZ4Factory factory() {
            try {
                return LZ4Factory.nativeInstance();
            } catch (LinkageError e) {
                return LZ4Factory.safeInstance();
            }
        }
    }

    /** Decodes one block without a frame. */
    static void decodeBlock(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        try {
            int bytes = Checked.FACTORY
                    .safeDecompressor()
                    .decompress(
                            source,
                            source.position(),
                            source.remaining(),
                            target,
                            target.position(),
                            target.remaining());
            target.position(target.position() + bytes);
        } catch (LZ4Exception e) {
            throw new DamagedBytes("its lz4 data is damaged (" + e.getMessage() + ")", e);
        }
    }

    /** Encodes one block without a frame; returns whether the target had room for it. */
    static boolean encodeBlock(ByteBuffer source, ByteBuffer target) {
        try {
            int bytes = Checked.FACTORY
                    .fastCompressor()
                    .compress(
                            source,
                            source.position(),
                            source.remaining(),
                            target,
                            target.position(),
                            target.remaining());
            target.position(target.position() + bytes);
            return true;
        } catch (LZ4Exception e) {
            return false;
        }
    }

    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        if (source.remaining() < HEADER_BYTES) {
            throw new DamagedBytes("its lz4 data ends before its length");
        }
        int claimed = source.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(source.position());
        if (claimed < 0 || claimed > target.remaining()) {
            throw new DamagedBytes("its lz4 data claims to hold " + Integer.toUnsignedString(claimed)
                    + " bytes where at most " + target.remaining() + " belong");
        }
        int start = target.position();
        decodeBlock(source.slice(source.position() + HEADER_BYTES, source.remaining() - HEADER_BYTES), target);
        if (target.position() - start != claimed) {
            throw new DamagedBytes(
                    "its lz4 data claims to hold " + claimed + " bytes and holds " + (target.position() - start));
        }
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN).putInt(source.remaining());
        if (!encodeBlock(source, target)) {
            throw new IllegalStateException("No room for a block of lz4");
        }
    }

    @Override
    public long mostEncoded(long bytes) {
        return HEADER_BYTES + bytes + bytes / 255 + 16;
    }

    /** A byte more makes a match longer by 255. */
    @Override
    public long mostDecoded(long bytes) {
        return bytes * 255;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("acceleration", acceleration);
    }
}
