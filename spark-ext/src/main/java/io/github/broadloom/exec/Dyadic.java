package io.github.broadloom.exec;

/** Rows as blocks of a dyadic tree: aligned blocks whose lengths are powers of two. */
final class Dyadic {
    private Dyadic() {}

    /** The least number of blocks that cover the rows {@code start <= row < end}. */
    static int nodes(long start, long end) {
        int nodes = 0;
        for (long row = start; row < end; nodes++) {
            long aligned = row == 0 ? Long.MAX_VALUE : Long.lowestOneBit(row);
            row += Math.min(aligned, Long.highestOneBit(end - row));
        }
        return nodes;
    }
}
