package io.github.broadloom.cuda.code;

/**
 * The threads that have a line together.
 *
 * @param lanes of each of its warps; fewer than a warp has where lines are short: several teams are in one then
 * @param warps where lines are long, a power of two
 */
record LineTeam(int lanes, int warps) {
    static final int THREADS = 256;

    /** Of a block: six of them have room on an H200's multiprocessor, which then has 1536 threads. */
    static final int SHARED_BYTES = 32 << 10;

    /** From here on a warp has enough to do. Moments are folded by whole warps, and never of fewer values. */
    private static final int WARP_LENGTH = 64;

    /** A lane has so many values of a shorter line. */
    private static final int LANE_LENGTH = 4;

    /** The team for a line of which it keeps bytes in shared memory, no more than a block has. */
    static LineTeam of(long length, long bytes) {
        if (length < WARP_LENGTH) {
            return new LineTeam((int) Long.highestOneBit(Math.max(1, length / LANE_LENGTH)), 1);
        }
        int warps = 1;
        while (bytes * new LineTeam(FoldForm.WARP, warps).inBlock() > SHARED_BYTES) {
            warps *= 2;
        }
        return new LineTeam(FoldForm.WARP, warps);
    }

    int threads() {
        return lanes * warps;
    }

    int inBlock() {
        return THREADS / threads();
    }
}
