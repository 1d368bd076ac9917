package io.github.broadloom.random;

/**
 * Philox-4x32-10 of J. Salmon, M. Moraes, R. Dror and D. Shaw, <i>Parallel random numbers: as easy as 1, 2, 3</i> (SC 2011): a bijection of counters, so that any number of a
 * sequence is computed without those before it. An element takes 64 bits, half of a block: those of element {@code i} are the half {@code i % 2} of the block whose counter is
 * {@code (i / 2, stream, attempt)} and whose key is the seed.
 */
final class Philox {
    private static final long LOW = 0xFFFF_FFFFL;
    private static final long FIRST_FACTOR = 0xD251_1F53L;
    private static final long SECOND_FACTOR = 0xCD9E_8D57L;
    private static final int FIRST_STEP = 0x9E37_79B9;
    private static final int SECOND_STEP = 0xBB67_AE85;
    private static final int ROUNDS = 10;

    private Philox() {}

    /** The bits of the elements from {@code first} on, to {@code count} places of an array. */
    static void bits(long seed, int stream, int attempt, long first, long[] to, int start, int count) {
        long upper = stream & LOW | (long) attempt << 32;
        int at = start;
        int end = start + count;
        long[] block = new long[2];
        for (long i = first; at < end; i++) {
            if (at == start || (i & 1) == 0) {
                block(seed, i >>> 1, upper, block);
            }
            to[at++] = block[(int) (i & 1)];
        }
    }

    /**
     * A block: four words, the first in the low half of the first number.
     *
     * @param key two words, as {@code lower} and {@code upper}, which are the four of the counter
     */
    static void block(long key, long lower, long upper, long[] block) {
        long c0 = lower & LOW;
        long c1 = lower >>> 32;
        long c2 = upper & LOW;
        long c3 = upper >>> 32;
        int k0 = (int) key;
        int k1 = (int) (key >>> 32);
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = FIRST_FACTOR * c0;
            long p1 = SECOND_FACTOR * c2;
            c0 = p1 >>> 32 ^ c1 ^ k0 & LOW;
            c1 = p1 & LOW;
            c2 = p0 >>> 32 ^ c3 ^ k1 & LOW;
            c3 = p0 & LOW;
            k0 += FIRST_STEP;
            k1 += SECOND_STEP;
        }
        block[0] = c1 << 32 | c0;
        block[1] = c3 << 32 | c2;
    }
}
