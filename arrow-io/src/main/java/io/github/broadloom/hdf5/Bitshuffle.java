package io.github.broadloom.hdf5;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Lz4Blocks;
import io.github.broadloom.codec.Shuffling;
import io.github.broadloom.codec.ZstdFrames;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.nio.ByteBuffer;

/**
 * The filter of the library of that name: elements in blocks, of each block first the lowest bits of all its elements, then the next ones, and each block compressed by itself. What is no
 * eight elements at the end lies behind the blocks as it is.
 */
final class Bitshuffle {
    private static final int ELEMENT_BYTES = 2;
    private static final int BLOCK = 3;
    private static final int COMPRESSION = 4;

    private static final int LZ4 = 2;
    private static final int ZSTD = 3;

    private Bitshuffle() {}

    /** Decodes all of the source, and leaves the position of the target behind what it wrote. */
    static void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
        int width = parameter(parameters, ELEMENT_BYTES);
        int compression = parameter(parameters, COMPRESSION);
        require(width > 0 && width <= target.remaining());
        require(compression == 0 || compression == LZ4 || compression == ZSTD);
        ByteBuffer in = source.duplicate();
        int bytes = compression == 0 ? in.remaining() : ChunkFilter.claimed(in, target.remaining());
        require(bytes <= target.remaining());
        long block = compression == 0 ? parameter(parameters, BLOCK) : in.getInt() / width;
        block = block == 0 ? defaultBlock(width) : block;
        require(block > 0 && block % 8 == 0);
        int whole = bytes / width / 8 * 8 * width;
        unshuffle(in, compression, target, whole, (int) Math.min(block * width, whole), width);
        require(in.remaining() == bytes - whole);
        target.put(in);
    }

    private static void unshuffle(
            ByteBuffer in, int compression, ByteBuffer target, int whole, int blockBytes, int width)
            throws DamagedBytes {
        Storage memory = Storage.allocate(2L * blockBytes);
        try {
            for (int done = 0; done < whole; done += blockBytes) {
                int size = Math.min(blockBytes, whole - done);
                ByteBuffer planes = memory.view(0, size);
                unpack(in, compression, planes);
                require(!planes.hasRemaining());
                long to = RawMemory.addressOf(target);
                Shuffling.bitUnshuffle(memory.address(), memory.address() + blockBytes, to, size, width);
                target.position(target.position() + size);
            }
        } finally {
            memory.release();
        }
    }

    private static void require(boolean isGood) throws DamagedBytes {
        if (!isGood) {
            throw new DamagedBytes("its bitshuffle data is damaged");
        }
    }

    private static int parameter(int[] parameters, int at) {
        return at < parameters.length ? parameters[at] : 0;
    }

    /** The library's choice: eight kilobytes. */
    private static long defaultBlock(int width) {
        return Math.max(128, 8192 / width / 8 * 8);
    }

    private static void unpack(ByteBuffer in, int compression, ByteBuffer planes) throws DamagedBytes {
        require(compression == 0 || in.remaining() >= Integer.BYTES);
        int stored = compression == 0 ? planes.remaining() : in.getInt();
        require(stored >= 0 && stored <= in.remaining());
        ByteBuffer packed = in.slice(in.position(), stored);
        in.position(in.position() + stored);
        if (compression == 0) {
            planes.put(packed);
        } else if (compression == LZ4) {
            Lz4Blocks.decode(packed, planes);
        } else {
            ZstdFrames.decode(packed, planes);
        }
    }
}
