package io.github.broadloom.cpu;

import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Join;

/**
 * The innermost stage of a {@link RowPipeline} for the smallest or greatest of a long stretch of neighbours of float32, which need not be widened to be found, nor in any order: many are
 * compared side by side.
 */
final class ExtremeLines implements TileLoop.Sink {
    /** Shorter stretches are as soon folded by the pairwise tree, many at a time. */
    private static final int SHORTEST = 64;

    private final float sign;
    private final long count;
    private final RowPipeline.Output next;
    private final double[] found;
    private float best;
    private long position;

    /** @param count how long a stretch is; at most {@code most} values come at a time */
    ExtremeLines(Join join, long count, int most, RowPipeline.Output next) {
        this.sign = join == Join.MAX ? 1 : -1;
        this.count = count;
        this.next = next;
        this.found = new double[Math.toIntExact(most / count + 2)];
    }

    /** Whether it takes stretches of so many values. */
    static boolean takes(Join join, DType dtype, long count) {
        return (join == Join.MAX || join == Join.MIN) && dtype == DType.FLOAT32 && count >= SHORTEST;
    }

    @Override
    public void accept(Object elements, int length, TileCursor tile) {
        float[] values = (float[]) elements;
        int stretches = 0;
        int at = 0;
        while (at < length) {
            int taken = (int) Math.min(length - at, count - position);
            float own = Folds.extreme(values, at, taken, sign);
            best = position == 0 ? own : sign * Math.max(sign * best, sign * own);
            position += taken;
            at += taken;
            if (position == count) {
                found[stretches++] = best;
                position = 0;
            }
        }
        if (stretches > 0) {
            next.accept(found, 0, stretches);
        }
    }
}
