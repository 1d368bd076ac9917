package io.github.broadloom.cuda.code;

import java.util.List;

/**
 * How many packets a thread has under way: so many that their bytes, over all threads of a multiprocessor, cover the time that memory
 * takes to answer.
 */
final class Unrolling {
    private static final int BYTES_UNDER_WAY = 64;
    private static final int MOST = 8;

    /** So many bytes of registers a thread may keep for what it loads. */
    private static final int MOST_BYTES = 256;

    private Unrolling() {}

    /**
     * The packets of one thread.
     *
     * @param vector the elements of a packet
     * @param operands what is loaded; operands that are broadcast mostly come out of a cache and do not count
     */
    static int of(Loops loops, int vector, List<Integer> operands) {
        int bytes = 0;
        for (int k : operands) {
            if (loops.isVisitedOnce(k)) {
                bytes += loops.bytes(k) * vector;
            }
        }
        int perPacket = Math.max(1, bytes);
        int wanted = Math.max(2, BYTES_UNDER_WAY / perPacket);
        int most = Math.max(1, Math.min(MOST, MOST_BYTES / perPacket));
        return Integer.highestOneBit(Math.min(wanted, most));
    }
}
