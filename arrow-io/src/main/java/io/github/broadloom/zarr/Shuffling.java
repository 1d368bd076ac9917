package io.github.broadloom.zarr;

import io.github.broadloom.tensor.RawMemory;

/**
 * Blosc's shuffles: the first bytes of all elements, then the second ones, and so on, which compress better than elements as they are; or so with bits. What is no whole
 * element, or for bits no eight of them, stays as it is. Source and target are addresses of the same number of bytes, which do not overlap.
 */
final class Shuffling {
    private static final long LOW_BYTES = 0x00FF_00FF_00FF_00FFL;
    private static final long LOW_SHORTS = 0x0000_FFFF_0000_FFFFL;
    private static final long LOW_INT = 0xFFFF_FFFFL;

    private Shuffling() {}

    static void shuffle(long source, long target, long bytes, int elementBytes) {
        long count = bytes / elementBytes;
        long start = switch (elementBytes) {
            case 2 -> shuffle2(source, target, count);
            case 4 -> shuffle4(source, target, count);
            case 8 -> shuffle8(source, target, count);
            default -> 0; // the loop below does them all, one byte after the other
        };
        for (int b = 0; b < elementBytes; b++) {
            long from = source + start * elementBytes + b;
            long to = target + b * count;
            for (long i = start; i < count; i++, from += elementBytes) {
                RawMemory.putByte(to + i, RawMemory.getByte(from));
            }
        }
        copyRest(source, target, count * elementBytes, bytes);
    }

    /** Every second byte, the first one among them. */
    private static long packBytes(long eight) {
        long pairs = eight & LOW_BYTES;
        return packShorts(pairs | pairs >>> 8);
    }

    /** Every second short, the first one among them. */
    private static long packShorts(long four) {
        long low = four & LOW_SHORTS;
        return (low | low >>> 16) & LOW_INT;
    }

    /** Eight elements of two bytes, of which the first bytes go to one place, and the second ones to another. */
    private static void split2(long first, long second, long low, long high) {
        RawMemory.putLong(low, packBytes(first) | packBytes(second) << 32);
        RawMemory.putLong(high, packBytes(first >>> 8) | packBytes(second >>> 8) << 32);
    }

    /** Eight elements of four bytes, two in each number; their bytes go to places that lie so far apart. */
    private static void split4(long ab, long cd, long ef, long gh, long to, long step) {
        split2(packShorts(ab) | packShorts(cd) << 32, packShorts(ef) | packShorts(gh) << 32, to, to + step);
        split2(
                packShorts(ab >>> 16) | packShorts(cd >>> 16) << 32,
                packShorts(ef >>> 16) | packShorts(gh >>> 16) << 32,
                to + 2 * step,
                to + 3 * step);
    }

    private static long shuffle2(long source, long target, long count) {
        long i = 0;
        for (; i + 8 <= count; i += 8) {
            long from = source + 2 * i;
            split2(RawMemory.getLong(from), RawMemory.getLong(from + 8), target + i, target + count + i);
        }
        return i;
    }

    private static long shuffle4(long source, long target, long count) {
        long i = 0;
        for (; i + 8 <= count; i += 8) {
            long from = source + 4 * i;
            split4(
                    RawMemory.getLong(from),
                    RawMemory.getLong(from + 8),
                    RawMemory.getLong(from + 16),
                    RawMemory.getLong(from + 24),
                    target + i,
                    count);
        }
        return i;
    }

    private static long shuffle8(long source, long target, long count) {
        long i = 0;
        for (; i + 8 <= count; i += 8) {
            long from = source + 8 * i;
            split4(low(from), low(from + 16), low(from + 32), low(from + 48), target + i, count);
            split4(high(from), high(from + 16), high(from + 32), high(from + 48), target + 4 * count + i, count);
        }
        return i;
    }

    /** The low halves of two elements of eight bytes. */
    private static long low(long pair) {
        return RawMemory.getLong(pair) & LOW_INT | RawMemory.getLong(pair + 8) << 32;
    }

    private static long high(long pair) {
        return RawMemory.getLong(pair) >>> 32 | RawMemory.getLong(pair + 8) & ~LOW_INT;
    }

    private static void copyRest(long source, long target, long done, long bytes) {
        if (done < bytes) {
            RawMemory.copy(source + done, target + done, bytes - done);
        }
    }

    static void unshuffle(long source, long target, long bytes, int elementBytes) {
        long count = bytes / elementBytes;
        long start = switch (elementBytes) {
            case 2 -> unshuffle2(source, target, count);
            case 4 -> unshuffle4(source, target, count);
            case 8 -> unshuffle8(source, target, count);
            default -> 0; // the loop below does them all, one byte after the other
        };
        for (int b = 0; b < elementBytes; b++) {
            long from = source + b * count;
            long to = target + start * elementBytes + b;
            for (long i = start; i < count; i++, to += elementBytes) {
                RawMemory.putByte(to, RawMemory.getByte(from + i));
            }
        }
        copyRest(source, target, count * elementBytes, bytes);
    }

    /** Four bytes, each at the low end of a short. */
    private static long spreadBytes(long four) {
        long pairs = (four | four << 16) & LOW_SHORTS;
        return (pairs | pairs << 8) & LOW_BYTES;
    }

    /** Two shorts, each at the low end of an int. */
    private static long spreadShorts(long two) {
        return (two | two << 16) & LOW_SHORTS;
    }

    /** The bytes of two ints in turn. */
    private static long bytesInTurn(long first, long second) {
        return spreadBytes(first & LOW_INT) | spreadBytes(second & LOW_INT) << 8;
    }

    private static long shortsInTurn(long first, long second) {
        return spreadShorts(first & LOW_INT) | spreadShorts(second & LOW_INT) << 16;
    }

    private static long unshuffle2(long source, long target, long count) {
        long i = 0;
        for (; i + 8 <= count; i += 8) {
            long low = RawMemory.getLong(source + i);
            long high = RawMemory.getLong(source + count + i);
            RawMemory.putLong(target + 2 * i, bytesInTurn(low, high));
            RawMemory.putLong(target + 2 * i + 8, bytesInTurn(low >>> 32, high >>> 32));
        }
        return i;
    }

    private static long unshuffle4(long source, long target, long count) {
        long i = 0;
        for (; i + 8 <= count; i += 8) {
            long a = RawMemory.getLong(source + i);
            long b = RawMemory.getLong(source + count + i);
            long c = RawMemory.getLong(source + 2 * count + i);
            long d = RawMemory.getLong(source + 3 * count + i);
            for (long to = target + 4 * i, end = to + 32; to < end; to += 16) {
                long low = bytesInTurn(a, b);
                long high = bytesInTurn(c, d);
                RawMemory.putLong(to, shortsInTurn(low, high));
                RawMemory.putLong(to + 8, shortsInTurn(low >>> 32, high >>> 32));
                a >>>= 32;
                b >>>= 32;
                c >>>= 32;
                d >>>= 32;
            }
        }
        return i;
    }

    private static long unshuffle8(long source, long target, long count) {
        long i = 0;
        long[] planes = new long[8];
        for (; i + 8 <= count; i += 8) {
            for (int b = 0; b < 8; b++) {
                planes[b] = RawMemory.getLong(source + b * count + i);
            }
            for (long to = target + 8 * i, end = to + 64; to < end; to += 32) {
                long ab = bytesInTurn(planes[0], planes[1]);
                long cd = bytesInTurn(planes[2], planes[3]);
                long ef = bytesInTurn(planes[4], planes[5]);
                long gh = bytesInTurn(planes[6], planes[7]);
                putPair(to, shortsInTurn(ab, cd), shortsInTurn(ef, gh));
                putPair(to + 16, shortsInTurn(ab >>> 32, cd >>> 32), shortsInTurn(ef >>> 32, gh >>> 32));
                for (int b = 0; b < 8; b++) {
                    planes[b] >>>= 32;
                }
            }
        }
        return i;
    }

    /** Two elements of eight bytes, of which there are the low and the high halves. */
    private static void putPair(long to, long low, long high) {
        RawMemory.putLong(to, low & LOW_INT | high << 32);
        RawMemory.putLong(to + 8, low >>> 32 | high & ~LOW_INT);
    }

    /**
     * Undoes a shuffle of bits, as Blosc 1 has it: blocks whose number of elements is no multiple of eight are left as they are.
     *
     * @param work as much memory as the target has
     */
    static void bitUnshuffle(long source, long work, long target, long bytes, int elementBytes) {
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
