package io.github.broadloom.codec;

import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The shuffles of Blosc, HDF5 and TIFF: the first bytes of all elements, then the second ones, and so on, which compress better than elements as they are; or so with bits. What is no
 * whole element, or for bits no eight of them, stays as it is. Source and target are addresses of the same number of bytes, which do not overlap.
 */
public final class Shuffling {
    private static final long LOW_BYTES = 0x00FF_00FF_00FF_00FFL;
    private static final long LOW_SHORTS = 0x0000_FFFF_0000_FFFFL;
    private static final long LOW_INT = 0xFFFF_FFFFL;

    private Shuffling() {}

    public static void shuffle(long source, long target, long bytes, int elementBytes) {
        long count = bytes / elementBytes;
        long start = count / 8 * 8;
        switch (elementBytes) {
            case 2 -> shuffleShorts(source, target, count);
            case 4 -> shuffleInts(source, target, count, 4);
            case 8 -> {
                shuffleInts(source, target, count, 8);
                shuffleInts(source + 4, target + 4 * count, count, 8);
            }
            default -> start = 0; // the loop below does them all, one byte after the other
        }
        for (int b = 0; b < elementBytes; b++) {
            long from = source + start * elementBytes + b;
            long to = target + b * count;
            for (long i = start; i < count; i++, from += elementBytes) {
                RawMemory.putByte(to + i, RawMemory.getByte(from));
            }
        }
        copyRest(source, target, count * elementBytes, bytes);
    }

    private static void copyRest(long source, long target, long done, long bytes) {
        if (done < bytes) {
            RawMemory.copy(source + done, target + done, bytes - done);
        }
    }

    public static void unshuffle(long source, long target, long bytes, int elementBytes) {
        long count = bytes / elementBytes;
        long start = count / 8 * 8;
        switch (elementBytes) {
            case 2 -> unshuffleShorts(source, target, count);
            case 4 -> unshuffleInts(source, target, count, 4);
            case 8 -> {
                unshuffleInts(source, target, count, 8);
                unshuffleInts(source + 4 * count, target + 4, count, 8);
            }
            default -> start = 0;
        }
        for (int b = 0; b < elementBytes; b++) {
            long from = source + b * count;
            long to = target + start * elementBytes + b;
            for (long i = start; i < count; i++, to += elementBytes) {
                RawMemory.putByte(to, RawMemory.getByte(from + i));
            }
        }
        copyRest(source, target, count * elementBytes, bytes);
    }

    /**
     * Undoes a shuffle of all bytes of a direct buffer, which is left as it is.
     *
     * @param target whose position is behind what was written afterwards
     * @throws DamagedBytes where the target has no room for as many
     */
    public static void unshuffle(ByteBuffer source, ByteBuffer target, int elementBytes) throws DamagedBytes {
        int bytes = source.remaining();
        if (bytes > target.remaining()) {
            throw new DamagedBytes("it has " + bytes + " shuffled bytes where " + target.remaining() + " belong");
        }
        unshuffle(RawMemory.addressOf(source), RawMemory.addressOf(target), bytes, elementBytes);
        target.position(target.position() + bytes);
        Reference.reachabilityFence(source);
    }

    /** Elements of which each row was shuffled by itself. */
    public static byte[] unshuffled(byte[] shuffled, int rowBytes, int elementBytes) {
        int bytes = shuffled.length;
        byte[] elements = new byte[bytes];
        Storage memory = Storage.allocate(2L * bytes);
        try {
            long source = memory.address();
            long target = source + bytes;
            RawMemory.copy(shuffled, 0, source, bytes);
            for (int start = 0; start < bytes; start += rowBytes) {
                unshuffle(source + start, target + start, Math.min(rowBytes, bytes - start), elementBytes);
            }
            RawMemory.copy(target, elements, 0, bytes);
        } finally {
            memory.release();
        }
        return elements;
    }

    /** Every second byte, the first one among them. */
    private static long packBytes(long eight) {
        long pairs = eight & LOW_BYTES;
        long fours = (pairs | pairs >>> 8) & LOW_SHORTS;
        return (fours | fours >>> 16) & LOW_INT;
    }

    /** Four bytes, each at the low end of a short. */
    private static long spreadBytes(long four) {
        long pairs = (four | four << 16) & LOW_SHORTS;
        return (pairs | pairs << 8) & LOW_BYTES;
    }

    private static void shuffleShorts(long source, long target, long count) {
        for (long i = 0; i + 8 <= count; i += 8) {
            long first = RawMemory.getLong(source + 2 * i);
            long second = RawMemory.getLong(source + 2 * i + 8);
            RawMemory.putLong(target + i, packBytes(first) | packBytes(second) << 32);
            RawMemory.putLong(target + count + i, packBytes(first >>> 8) | packBytes(second >>> 8) << 32);
        }
    }

    private static void unshuffleShorts(long source, long target, long count) {
        for (long i = 0; i + 8 <= count; i += 8) {
            long low = RawMemory.getLong(source + i);
            long high = RawMemory.getLong(source + count + i);
            RawMemory.putLong(target + 2 * i, spreadBytes(low & LOW_INT) | spreadBytes(high & LOW_INT) << 8);
            RawMemory.putLong(target + 2 * i + 8, spreadBytes(low >>> 32) | spreadBytes(high >>> 32) << 8);
        }
    }

    /** Eight times four bytes are transposed as a matrix: neighbours change places by twos, then pairs of them; here back again. */
    private static void shuffleInts(long source, long target, long count, int step) {
        for (long i = 0; i + 8 <= count; i += 8) {
            long from = source + i * step;
            long a = pair(from, 4L * step);
            long b = pair(from + step, 4L * step);
            long c = pair(from + 2L * step, 4L * step);
            long d = pair(from + 3L * step, 4L * step);
            long swap = (a >>> 16 ^ c) & LOW_SHORTS;
            c ^= swap;
            a ^= swap << 16;
            swap = (b >>> 16 ^ d) & LOW_SHORTS;
            d ^= swap;
            b ^= swap << 16;
            swap = (a >>> 8 ^ b) & LOW_BYTES;
            RawMemory.putLong(target + i, a ^ swap << 8);
            RawMemory.putLong(target + count + i, b ^ swap);
            swap = (c >>> 8 ^ d) & LOW_BYTES;
            RawMemory.putLong(target + 2 * count + i, c ^ swap << 8);
            RawMemory.putLong(target + 3 * count + i, d ^ swap);
        }
    }

    private static long pair(long address, long step) {
        return RawMemory.getInt(address) & LOW_INT | (long) RawMemory.getInt(address + step) << 32;
    }

    private static void unshuffleInts(long source, long target, long count, int step) {
        for (long i = 0; i + 8 <= count; i += 8) {
            long a = RawMemory.getLong(source + i);
            long b = RawMemory.getLong(source + count + i);
            long c = RawMemory.getLong(source + 2 * count + i);
            long d = RawMemory.getLong(source + 3 * count + i);
            long swap = (a >>> 8 ^ b) & LOW_BYTES;
            b ^= swap;
            a ^= swap << 8;
            swap = (c >>> 8 ^ d) & LOW_BYTES;
            d ^= swap;
            c ^= swap << 8;
            long to = target + i * step;
            swap = (a >>> 16 ^ c) & LOW_SHORTS;
            putPair(to, 4L * step, a ^ swap << 16);
            putPair(to + 2L * step, 4L * step, c ^ swap);
            swap = (b >>> 16 ^ d) & LOW_SHORTS;
            putPair(to + step, 4L * step, b ^ swap << 16);
            putPair(to + 3L * step, 4L * step, d ^ swap);
        }
    }

    private static void putPair(long address, long step, long pair) {
        RawMemory.putInt(address, (int) pair);
        RawMemory.putInt(address + step, (int) (pair >>> 32));
    }

    /**
     * Undoes a shuffle of bits, as Blosc 1 has it: blocks whose number of elements is no multiple of eight are left as they are.
     *
     * @param work as much memory as the target has
     */
    public static void bitUnshuffle(long source, long work, long target, long bytes, int elementBytes) {
        long count = bytes / elementBytes;
        if (count % 8 != 0) {
            RawMemory.copy(source, target, bytes);
            return;
        }
        long row = count / 8;
        for (int b = 0; b < elementBytes; b++) {
            long from = source + b * count;
            long to = work + b * count;
            for (long group = 0; group < row; group++) {
                RawMemory.putLong(to + 8 * group, transposed(gather(from + group, row)));
            }
        }
        unshuffle(work, target, count * elementBytes, elementBytes);
        copyRest(source, target, count * elementBytes, bytes);
    }

    private static long gather(long address, long step) {
        long eight = 0;
        for (int i = 0; i < 8; i++) {
            eight |= (RawMemory.getByte(address + i * step) & 0xFFL) << 8 * i;
        }
        return eight;
    }

    /** Eight rows of eight bits as columns. */
    private static long transposed(long bits) {
        long swap = (bits ^ bits >>> 7) & 0x00AA_00AA_00AA_00AAL;
        bits ^= swap ^ swap << 7;
        swap = (bits ^ bits >>> 14) & 0x0000_CCCC_0000_CCCCL;
        bits ^= swap ^ swap << 14;
        swap = (bits ^ bits >>> 28) & 0x0000_0000_F0F0_F0F0L;
        return bits ^ swap ^ swap << 28;
    }
}
