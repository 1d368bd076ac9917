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
        for (int b = 0; b < elementBytes; b++) {
            long from = source + b;
            long to = target + b * count;
            for (long i = 0; i < count; i++, from += elementBytes) {
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

    /** As Blosc 1 has it: blocks whose number of elements is no multiple of eight are left as they are. */
    static void bitShuffle(long source, long target, long bytes, int elementBytes) {
        bits(source, target, bytes, elementBytes, true);
    }

    static void bitUnshuffle(long source, long target, long bytes, int elementBytes) {
        bits(source, target, bytes, elementBytes, false);
    }

    private static void bits(long source, long target, long bytes, int elementBytes, boolean shuffle) {
        long count = bytes / elementBytes;
        if (count % 8 != 0) {
            RawMemory.copy(source, target, bytes);
            return;
        }
        long row = count / 8;
        for (int b = 0; b < elementBytes; b++) {
            for (long group = 0; group < row; group++) {
                long elements = group * 8 * elementBytes + b;
                long planes = b * count + group;
                long eight =
                        transposed(shuffle ? gather(source + elements, elementBytes) : gather(source + planes, row));
                if (shuffle) {
                    scatter(eight, target + planes, row);
                } else {
                    scatter(eight, target + elements, elementBytes);
                }
            }
        }
        copyRest(source, target, count * elementBytes, bytes);
    }

    private static long gather(long address, long step) {
        long eight = 0;
        for (int i = 0; i < 8; i++) {
            eight |= (RawMemory.getByte(address + i * step) & 0xFFL) << 8 * i;
        }
        return eight;
    }

    private static void scatter(long eight, long address, long step) {
        for (int i = 0; i < 8; i++) {
            RawMemory.putByte(address + i * step, (byte) (eight >>> 8 * i));
        }
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
