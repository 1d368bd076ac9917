package io.github.broadloom.cuda.code;

import java.util.OptionalInt;

/**
 * A launch that folds whole lines, or ranges of them whose nodes the next launch joins.
 *
 * @param type of the accumulators
 * @param length the values of a line that make nodes of the tree
 * @param level a team folds 2^level of them; at least as many as there are where lines are not split
 * @param ranges teams for each line
 * @param tail how many values of the operand are in the nodes behind them, which earlier launches left: joined last, one by one,
 *     from the left
 * @param shift 2^shift values of the operand are in each of the length values, fewer in those behind
 */
record LineStage(
        FoldSource source, FoldType type, FoldForm form, long length, int level, long ranges, long tail, int shift)
        implements FoldStage {

    static LineStage of(FoldSource source, FoldType type, FoldForm form, long tail, int shift) {
        long length = source.length() - Long.bitCount(tail);
        OptionalInt cut = form.cut(type, source.lines(), length);
        if (cut.isEmpty()) {
            return whole(source, type, form, tail, shift);
        }
        int level = cut.getAsInt();
        boolean more = (length & ((1L << level) - 1)) != 0 || tail != 0;
        return new LineStage(source, type, form, length, level, (length >>> level) + (more ? 1 : 0), tail, shift);
    }

    static LineStage whole(FoldSource source, FoldType type, FoldForm form, long tail, int shift) {
        long length = source.length() - Long.bitCount(tail);
        int bits = Long.SIZE - Long.numberOfLeadingZeros(length);
        return new LineStage(source, type, form, length, bits, 1, tail, shift);
    }

    /** Of lines that are split among so many teams at most, by which nodes of earlier launches are not left. */
    static LineStage among(int teams, FoldSource source, FoldType type, FoldForm form) {
        int level = 0;
        while ((source.length() - 1) >>> level >= teams) {
            level++;
        }
        long ranges = ((source.length() - 1) >>> level) + 1;
        return new LineStage(source, type, form, source.length(), level, ranges, 0, 0);
    }

    @Override
    public long jobs() {
        return source.lines() / form.columns() * ranges;
    }

    boolean isSplit() {
        return ranges > 1;
    }

    @Override
    public int extras() {
        return Long.bitCount(tail);
    }

    /** What this leaves behind the whole ranges, as {@link #tail} of the next launch. */
    long nextTail() {
        return type.isExact() ? 0 : ((length & ((1L << level) - 1)) << shift) + tail;
    }

    int nextShift() {
        return shift + level;
    }

    long leaves() {
        if (type.isExact()) {
            return ranges;
        }
        return isSplit() ? (length >>> level) + Long.bitCount(nextTail()) : 1;
    }

    @Override
    public int levels() {
        return form.levels(isSplit() ? level + 1 : level);
    }

    @Override
    public FoldPartText part() {
        return isSplit() ? FoldPartText.ofRange(form) : FoldPartText.ofLine(form);
    }

    @Override
    public void declare(KernelParameters parameters) {
        parameters.index("count", length);
        parameters.index("lines", source.lines());
        parameters.index("ranges", ranges);
        parameters.index("level", level);
        parameters.index("leaves", leaves());
        parameters.index("columns", source.innermost(false) / form.columns());
        parameters.index("extras", extras());
        parameters.index("tail", tail);
        parameters.index("shift", shift);
    }
}
