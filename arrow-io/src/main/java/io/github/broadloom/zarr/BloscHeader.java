package io.github.broadloom.zarr;

import io.github.broadloom.codec.DamagedBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The sixteen bytes before a container of Blosc 1.
 *
 * @param bytes that it holds decoded
 * @param blockBytes of each of its blocks but the last one, decoded
 * @param containerBytes its own length
 */
record BloscHeader(int flags, int typeBytes, int bytes, int blockBytes, int containerBytes) {
    static final int BYTES = 16;
    static final int SHUFFLED = 1;
    static final int STORED = 2;
    static final int BIT_SHUFFLED = 4;
    static final int NOT_SPLIT = 16;
    private static final int RESERVED = 8;
    private static final int FORMAT_VERSION = 2;
    private static final int MOST_SPLITS = 16;
    private static final int SMALLEST_SPLIT_BYTES = 128;

    /** @throws DamagedBytes where it contradicts itself, or holds more than {@code mostBytes} */
    static BloscHeader read(ByteBuffer source, int mostBytes) throws DamagedBytes {
        if (source.remaining() < BYTES) {
            throw new DamagedBytes("it ends inside the header of its blosc container");
        }
        ByteBuffer header = source.slice(source.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int version = header.get(0);
        BloscHeader read = new BloscHeader(
                header.get(2) & 0xff, header.get(3) & 0xff, header.getInt(4), header.getInt(8), header.getInt(12));
        if (version != FORMAT_VERSION || (read.flags & RESERVED) != 0) {
            throw new DamagedBytes(
                    "its blosc container is of version " + version + "; containers of Blosc 1, of version 2, are read");
        }
        if (read.bytes < 0 || read.bytes > mostBytes) {
            throw new DamagedBytes("its blosc container claims to hold " + Integer.toUnsignedString(read.bytes)
                    + " bytes where at most " + mostBytes + " belong");
        }
        boolean sound = read.containerBytes == source.remaining()
                && read.typeBytes > 0
                && (read.bytes == 0 || read.blockBytes > 0 && read.blockBytes <= read.bytes);
        if (!sound || read.isStored() && read.containerBytes - BYTES != read.bytes) {
            throw new DamagedBytes("the header of its blosc container is damaged");
        }
        return read;
    }

    void write(ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) FORMAT_VERSION)
                .put((byte) 1)
                .put((byte) flags)
                .put((byte) typeBytes)
                .putInt(bytes)
                .putInt(blockBytes)
                .putInt(containerBytes);
    }

    boolean isStored() {
        return (flags & STORED) != 0;
    }

    int blocks() {
        return bytes == 0 ? 0 : (bytes - 1) / blockBytes + 1;
    }

    int blockBytes(int block) {
        return Math.min(blockBytes, bytes - block * blockBytes);
    }

    /** In how many pieces a block is compressed: one for each byte of an element, or one. */
    int splits(int block) {
        boolean split = (flags & NOT_SPLIT) == 0
                && typeBytes <= MOST_SPLITS
                && blockBytes / typeBytes >= SMALLEST_SPLIT_BYTES
                && blockBytes(block) == blockBytes;
        return split ? typeBytes : 1;
    }

    boolean isShuffled() {
        return (flags & SHUFFLED) != 0 && typeBytes > 1;
    }

    boolean isBitShuffled() {
        return (flags & BIT_SHUFFLED) != 0 && blockBytes >= typeBytes;
    }

    /** The number of what compressed it: 0 blosclz, 1 lz4 and lz4hc, 2 snappy, 3 zlib, 4 zstd. */
    int compressor() {
        return flags >> 5;
    }
}
