package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.cuda.FoldForm.Direction;

/**
 * One launch of a fold: which part of each line a team takes, and what becomes of it.
 *
 * @param type of the accumulators
 * @param length the values of a line that make nodes of the tree
 * @param level a team folds 2^level of them; at least as many as there are where lines are not split
 * @param ranges teams for each line
 * @param tail how many values of the operand are in the nodes behind them, which earlier launches left: joined last, one by one,
 *     from the left
 * @param shift 2^shift values of the operand are in each of the length values, fewer in those behind
 */
record FoldStage(
        FoldSource source, FoldType type, FoldForm form, long length, int level, long ranges, long tail, int shift) {
    /** So many threads keep every multiprocessor busy. */
    private static final long ENOUGH_THREADS = 1 << 17;

    /** More than these are split even where there are threads enough: the stack of a team has a level for each digit. */
    private static final int MOST_LEVEL = 16;

    /** Columns have a stack for each of them in every lane. */
    private static final int MOST_LEVEL_ACROSS = 9;

    /** A team that takes so few steps alone is done before a second launch would be. */
    private static final int FEW_STEPS = 16;

    /** So many steps are worth a node in memory. */
    private static final int FEWEST_STEPS = 4;

    static FoldStage of(FoldSource source, FoldType type, FoldForm form, long tail, int shift) {
        long length = source.length() - Long.bitCount(tail);
        boolean across = form.direction() == Direction.ACROSS;
        int most = across ? MOST_LEVEL_ACROSS : MOST_LEVEL;
        long teams = source.lines() / form.columns();
        int level = most;
        int least = 64 - Long.numberOfLeadingZeros((long) form.step() * FEWEST_STEPS - 1);
        while (level > least && teams * form.lanes() * ceilDiv(length, level) < ENOUGH_THREADS) {
            level--;
        }
        boolean enough = teams * form.lanes() >= ENOUGH_THREADS && length >>> most <= 1;
        if (enough || length <= Math.max(1L << level, (long) FEW_STEPS * form.step())) {
            return new FoldStage(source, type, form, length, bits(length), 1, tail, shift);
        }
        boolean more = (length & ((1L << level) - 1)) != 0 || tail != 0;
        return new FoldStage(source, type, form, length, level, (length >>> level) + (more ? 1 : 0), tail, shift);
    }

    private static int bits(long length) {
        return Long.SIZE - Long.numberOfLeadingZeros(length);
    }

    private static long ceilDiv(long length, int level) {
        return (length + (1L << level) - 1) >>> level;
    }

    /** How many teams there are. */
    long jobs() {
        return source.lines() / form.columns() * ranges;
    }

    boolean isSplit() {
        return ranges > 1;
    }

    /** The nodes behind the tree. */
    int extras() {
        return Long.bitCount(tail);
    }

    /** What this leaves behind the whole ranges, as {@link #tail} of the next launch. */
    long nextTail() {
        return type.isExact() ? 0 : ((length & ((1L << level) - 1)) << shift) + tail;
    }

    /** The {@link #shift} of the next launch. */
    int nextShift() {
        return shift + level;
    }

    /** How many nodes a line leaves. */
    long leaves() {
        if (type.isExact()) {
            return ranges;
        }
        return isSplit() ? (length >>> level) + Long.bitCount(nextTail()) : 1;
    }

    /** The levels of a team's stack: one for each digit of how many values it takes at most. */
    int levels() {
        int needed = isSplit() ? level + 1 : Math.max(1, level);
        int atLeast = Math.max(needed, Integer.numberOfTrailingZeros(form.step()) + 1);
        return (atLeast + 1) / 2 * 2; // fewer kernels for all lengths
    }
}
