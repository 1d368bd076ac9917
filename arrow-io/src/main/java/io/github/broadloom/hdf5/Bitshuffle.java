package io.github.broadloom.hdf5;

import io.github.broadloom.format.Shuffling;
import java.nio.ByteBuffer;
import java.util.Arrays;

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

    static byte[] decode(ChunkFilter filter, byte[] bytes, int[] parameters, int most) {
        int width = parameter(parameters, ELEMENT_BYTES);
        int compression = parameter(parameters, COMPRESSION);
        if (width <= 0 || width > most || compression != 0 && compression != LZ4 && compression != ZSTD) {
            throw filter.damaged();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] out = new byte[compression == 0 ? bytes.length : filter.claimed(in, most)];
        long block = compression == 0 ? parameter(parameters, BLOCK) : in.getInt() / width;
        block = block == 0 ? defaultBlock(width) : block;
        if (block <= 0 || block % 8 != 0) {
            throw filter.damaged();
        }
        int whole = out.length / width / 8 * 8;
        byte[] planes = new byte[whole * width];
        int blockBytes = (int) Math.min(block * width, planes.length);
        for (int done = 0; done < planes.length; done += blockBytes) {
            unpack(filter, in, compression, planes, done, Math.min(blockBytes, planes.length - done));
        }
        Shuffling.bitUnshuffle(planes, blockBytes, width, out);
        if (in.remaining() != out.length - whole * width) {
            throw filter.damaged();
        }
        in.get(out, whole * width, in.remaining());
        return out;
    }

    private static int parameter(int[] parameters, int at) {
        return at < parameters.length ? parameters[at] : 0;
    }

    /** The library's choice: eight kilobytes. */
    private static long defaultBlock(int width) {
        return Math.max(128, 8192 / width / 8 * 8);
    }

    private static void unpack(ChunkFilter filter, ByteBuffer in, int compression, byte[] planes, int at, int size) {
        int stored = compression == 0 ? size : in.remaining() < Integer.BYTES ? -1 : in.getInt();
        if (stored < 0 || stored > in.remaining()) {
            throw filter.damaged();
        }
        if (compression == 0) {
            in.get(planes, at, size);
        } else if (compression == LZ4) {
            filter.unpackLz4(in, stored, planes, at, size);
        } else {
            byte[] unpacked = ChunkFilter.ZSTD.decode(
                    Arrays.copyOfRange(in.array(), in.position(), in.position() + stored), new int[0], size);
            if (unpacked.length != size) {
                throw filter.damaged();
            }
            System.arraycopy(unpacked, 0, planes, at, size);
            in.position(in.position() + stored);
        }
    }
}
