package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Lz4Blocks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** LZ4 blocks as numcodecs frames them: four bytes with the number of bytes that they hold, and one block. */
record Lz4Codec(int acceleration) implements ByteCodec {
    private static final int HEADER_BYTES = 4;

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
        Lz4Blocks.decode(source.slice(source.position() + HEADER_BYTES, source.remaining() - HEADER_BYTES), target);
        if (target.position() - start != claimed) {
            throw new DamagedBytes(
                    "its lz4 data claims to hold " + claimed + " bytes and holds " + (target.position() - start));
        }
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN).putInt(source.remaining());
        if (!Lz4Blocks.encode(source, target)) {
            throw new IllegalStateException("No room for a block of lz4");
        }
    }

    @Override
    public long mostEncoded(long bytes) {
        return HEADER_BYTES + bytes + bytes / 255 + 16;
    }

    @Override
    public long mostDecoded(long bytes) {
        return bytes * Lz4Blocks.MOST_OF_ONE;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("acceleration", acceleration);
    }
}
