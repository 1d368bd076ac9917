package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.LANES;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Folding} on the Vector API. */
final class VectorFolding implements Folding {
    private static final int EIGHT = ScalarFolding.EIGHT;

    /** Loop after loop over many blocks, so that none waits for the end of its own sum. The loops call the Vector API alone: C2 may not inline more. */
    @Override
    public void moments(double[] x, int from, int blocks, double[] out) {
        double[] sums = Scratch.doubles(EIGHT * blocks);
        for (int lane = 0; lane < EIGHT; lane += LANES) {
            sumRows(x, from + lane, blocks, sums, lane);
        }
        for (int block = 0; block < blocks; block++) {
            out[2 * block] = ScalarFolding.eight(sums, EIGHT * block, 1) * (1.0 / Folds.BLOCK);
        }
        for (int lane = 0; lane < EIGHT; lane += LANES) {
            sumSquares(x, from + lane, blocks, out, sums, lane);
            addSquares(x, from + lane + Folds.BLOCK / 2, blocks, out, sums, lane);
        }
        for (int block = 0; block < blocks; block++) {
            out[2 * block + 1] = ScalarFolding.eight(sums, EIGHT * block, 1);
        }
    }

    private static void sumRows(double[] x, int from, int blocks, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * Folds.BLOCK;
            DoubleVector first =
                    DoubleVector.fromArray(DOUBLES, x, at).add(DoubleVector.fromArray(DOUBLES, x, at + EIGHT));
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT));
            DoubleVector third = DoubleVector.fromArray(DOUBLES, x, at + 4 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 5 * EIGHT));
            DoubleVector fourth = DoubleVector.fromArray(DOUBLES, x, at + 6 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 7 * EIGHT));
            first.add(second).add(third.add(fourth)).intoArray(sums, EIGHT * block + lane);
        }
    }

    /** Of the first four rows of each block. */
    private static void sumSquares(double[] x, int from, int blocks, double[] moments, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * Folds.BLOCK;
            double mean = moments[2 * block];
            DoubleVector first = DoubleVector.fromArray(DOUBLES, x, at).sub(mean);
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + EIGHT).sub(mean);
            DoubleVector third =
                    DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT).sub(mean);
            DoubleVector fourth =
                    DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT).sub(mean);
            DoubleVector left = first.mul(first).add(second.mul(second));
            left.add(third.mul(third).add(fourth.mul(fourth))).intoArray(sums, EIGHT * block + lane);
        }
    }

    /** Of the last four rows of each block: all eight in one loop are more calls than C2 inlines. */
    private static void addSquares(double[] x, int from, int blocks, double[] moments, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * Folds.BLOCK;
            double mean = moments[2 * block];
            DoubleVector first = DoubleVector.fromArray(DOUBLES, x, at).sub(mean);
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + EIGHT).sub(mean);
            DoubleVector third =
                    DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT).sub(mean);
            DoubleVector fourth =
                    DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT).sub(mean);
            DoubleVector left = first.mul(first).add(second.mul(second));
            DoubleVector both = left.add(third.mul(third).add(fourth.mul(fourth)));
            DoubleVector.fromArray(DOUBLES, sums, EIGHT * block + lane)
                    .add(both)
                    .intoArray(sums, EIGHT * block + lane);
        }
    }

    @Override
    public void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(DOUBLES, x, from + i).add(origin);
            DoubleVector wide = divisor == 1 ? sum : sum.div(divisor);
            FloatVector quotient = (FloatVector) wide.convertShape(VectorOperators.D2F, VectorDoubles.FLOATS, 0);
            quotient.blend(Float.NaN, quotient.compare(VectorOperators.NE, quotient))
                    .intoArray(out, i);
        }
        ScalarFolding.divide(x, from, origin, divisor, out, i, n);
    }
}
