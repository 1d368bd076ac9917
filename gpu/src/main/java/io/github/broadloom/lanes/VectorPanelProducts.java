package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.LONGS;
import static io.github.broadloom.lanes.VectorWords.EIGHT;
import static io.github.broadloom.lanes.VectorWords.FLOATS;
import static io.github.broadloom.lanes.VectorWords.INTS;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link PanelProducts} on the Vector API: two vectors for each row of a tile, so that eight sums are under way, which is what two
 * units of four cycles each can take.
 */
final class VectorPanelProducts implements PanelProducts {
    private static final ScalarPanelProducts SCALAR = new ScalarPanelProducts();

    @Override
    public void multiply(float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int at, int step) {
        if (!VectorWords.FIT) {
            SCALAR.multiply(a, aFrom, b, bFrom, n, out, at, step);
            return;
        }
        pair(a, aFrom, b, bFrom, n, out, at, step);
    }

    private static void pair(float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int at, int step) {
        FloatVector left0 = FloatVector.zero(FLOATS);
        FloatVector right0 = left0;
        FloatVector left1 = left0;
        FloatVector right1 = left0;
        FloatVector left2 = left0;
        FloatVector right2 = left0;
        FloatVector left3 = left0;
        FloatVector right3 = left0;
        for (int p = 0; p < n; p++) {
            int from = bFrom + p * Panels.COLUMNS;
            FloatVector left = FloatVector.fromArray(FLOATS, b, from);
            FloatVector right = FloatVector.fromArray(FLOATS, b, from + EIGHT);
            FloatVector row0 = FloatVector.broadcast(FLOATS, a[aFrom + p * Panels.ROWS]);
            left0 = row0.fma(left, left0);
            right0 = row0.fma(right, right0);
            FloatVector row1 = FloatVector.broadcast(FLOATS, a[aFrom + p * Panels.ROWS + 1]);
            left1 = row1.fma(left, left1);
            right1 = row1.fma(right, right1);
            FloatVector row2 = FloatVector.broadcast(FLOATS, a[aFrom + p * Panels.ROWS + 2]);
            left2 = row2.fma(left, left2);
            right2 = row2.fma(right, right2);
            FloatVector row3 = FloatVector.broadcast(FLOATS, a[aFrom + p * Panels.ROWS + 3]);
            left3 = row3.fma(left, left3);
            right3 = row3.fma(right, right3);
        }
        left0.intoArray(out, at);
        right0.intoArray(out, at + EIGHT);
        left1.intoArray(out, at + step);
        right1.intoArray(out, at + step + EIGHT);
        left2.intoArray(out, at + 2 * step);
        right2.intoArray(out, at + 2 * step + EIGHT);
        left3.intoArray(out, at + 3 * step);
        right3.intoArray(out, at + 3 * step + EIGHT);
    }

    @Override
    public void multiply(double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int at, int step) {
        for (int column = 0; column < Panels.COLUMNS; column += 2 * LANES) {
            pair(a, aFrom, b, bFrom + column, n, out, at + column, step);
        }
    }

    private static void pair(double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int at, int step) {
        DoubleVector left0 = DoubleVector.zero(DOUBLES);
        DoubleVector right0 = left0;
        DoubleVector left1 = left0;
        DoubleVector right1 = left0;
        DoubleVector left2 = left0;
        DoubleVector right2 = left0;
        DoubleVector left3 = left0;
        DoubleVector right3 = left0;
        for (int p = 0; p < n; p++) {
            int from = bFrom + p * Panels.COLUMNS;
            DoubleVector left = DoubleVector.fromArray(DOUBLES, b, from);
            DoubleVector right = DoubleVector.fromArray(DOUBLES, b, from + LANES);
            DoubleVector row0 = DoubleVector.broadcast(DOUBLES, a[aFrom + p * Panels.ROWS]);
            left0 = row0.fma(left, left0);
            right0 = row0.fma(right, right0);
            DoubleVector row1 = DoubleVector.broadcast(DOUBLES, a[aFrom + p * Panels.ROWS + 1]);
            left1 = row1.fma(left, left1);
            right1 = row1.fma(right, right1);
            DoubleVector row2 = DoubleVector.broadcast(DOUBLES, a[aFrom + p * Panels.ROWS + 2]);
            left2 = row2.fma(left, left2);
            right2 = row2.fma(right, right2);
            DoubleVector row3 = DoubleVector.broadcast(DOUBLES, a[aFrom + p * Panels.ROWS + 3]);
            left3 = row3.fma(left, left3);
            right3 = row3.fma(right, right3);
        }
        left0.intoArray(out, at);
        right0.intoArray(out, at + LANES);
        left1.intoArray(out, at + step);
        right1.intoArray(out, at + step + LANES);
        left2.intoArray(out, at + 2 * step);
        right2.intoArray(out, at + 2 * step + LANES);
        left3.intoArray(out, at + 3 * step);
        right3.intoArray(out, at + 3 * step + LANES);
    }

    @Override
    public void multiply(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int at, int step) {
        if (!VectorWords.FIT) {
            SCALAR.multiply(a, aFrom, b, bFrom, n, out, at, step);
            return;
        }
        pair(a, aFrom, b, bFrom, n, out, at, step);
    }

    private static void pair(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int at, int step) {
        IntVector left0 = IntVector.zero(INTS);
        IntVector right0 = left0;
        IntVector left1 = left0;
        IntVector right1 = left0;
        IntVector left2 = left0;
        IntVector right2 = left0;
        IntVector left3 = left0;
        IntVector right3 = left0;
        for (int p = 0; p < n; p++) {
            int from = bFrom + p * Panels.COLUMNS;
            IntVector left = IntVector.fromArray(INTS, b, from);
            IntVector right = IntVector.fromArray(INTS, b, from + EIGHT);
            IntVector row0 = IntVector.broadcast(INTS, a[aFrom + p * Panels.ROWS]);
            left0 = row0.mul(left).add(left0);
            right0 = row0.mul(right).add(right0);
            IntVector row1 = IntVector.broadcast(INTS, a[aFrom + p * Panels.ROWS + 1]);
            left1 = row1.mul(left).add(left1);
            right1 = row1.mul(right).add(right1);
            IntVector row2 = IntVector.broadcast(INTS, a[aFrom + p * Panels.ROWS + 2]);
            left2 = row2.mul(left).add(left2);
            right2 = row2.mul(right).add(right2);
            IntVector row3 = IntVector.broadcast(INTS, a[aFrom + p * Panels.ROWS + 3]);
            left3 = row3.mul(left).add(left3);
            right3 = row3.mul(right).add(right3);
        }
        left0.intoArray(out, at);
        right0.intoArray(out, at + EIGHT);
        left1.intoArray(out, at + step);
        right1.intoArray(out, at + step + EIGHT);
        left2.intoArray(out, at + 2 * step);
        right2.intoArray(out, at + 2 * step + EIGHT);
        left3.intoArray(out, at + 3 * step);
        right3.intoArray(out, at + 3 * step + EIGHT);
    }

    @Override
    public void multiply(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int at, int step) {
        for (int column = 0; column < Panels.COLUMNS; column += 2 * LANES) {
            pair(a, aFrom, b, bFrom + column, n, out, at + column, step);
        }
    }

    private static void pair(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int at, int step) {
        LongVector left0 = LongVector.zero(LONGS);
        LongVector right0 = left0;
        LongVector left1 = left0;
        LongVector right1 = left0;
        LongVector left2 = left0;
        LongVector right2 = left0;
        LongVector left3 = left0;
        LongVector right3 = left0;
        for (int p = 0; p < n; p++) {
            int from = bFrom + p * Panels.COLUMNS;
            LongVector left = LongVector.fromArray(LONGS, b, from);
            LongVector right = LongVector.fromArray(LONGS, b, from + LANES);
            LongVector row0 = LongVector.broadcast(LONGS, a[aFrom + p * Panels.ROWS]);
            left0 = row0.mul(left).add(left0);
            right0 = row0.mul(right).add(right0);
            LongVector row1 = LongVector.broadcast(LONGS, a[aFrom + p * Panels.ROWS + 1]);
            left1 = row1.mul(left).add(left1);
            right1 = row1.mul(right).add(right1);
            LongVector row2 = LongVector.broadcast(LONGS, a[aFrom + p * Panels.ROWS + 2]);
            left2 = row2.mul(left).add(left2);
            right2 = row2.mul(right).add(right2);
            LongVector row3 = LongVector.broadcast(LONGS, a[aFrom + p * Panels.ROWS + 3]);
            left3 = row3.mul(left).add(left3);
            right3 = row3.mul(right).add(right3);
        }
        left0.intoArray(out, at);
        right0.intoArray(out, at + LANES);
        left1.intoArray(out, at + step);
        right1.intoArray(out, at + step + LANES);
        left2.intoArray(out, at + 2 * step);
        right2.intoArray(out, at + 2 * step + LANES);
        left3.intoArray(out, at + 3 * step);
        right3.intoArray(out, at + 3 * step + LANES);
    }

    @Override
    public void keepOneNaN(float[] x, int n) {
        int i = 0;
        for (; i < VectorWords.end(0, n); i += EIGHT) {
            FloatVector values = FloatVector.fromArray(FLOATS, x, i);
            values.blend(Float.NaN, values.compare(VectorOperators.NE, values)).intoArray(x, i);
        }
        ScalarPanelProducts.keepOneNaN(x, i, n);
    }

    @Override
    public void keepOneNaN(double[] x, int n) {
        int i = 0;
        for (; i < n - LANES + 1; i += LANES) {
            DoubleVector values = DoubleVector.fromArray(DOUBLES, x, i);
            values.blend(Double.NaN, values.compare(VectorOperators.NE, values)).intoArray(x, i);
        }
        ScalarPanelProducts.keepOneNaN(x, i, n);
    }
}
