package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.LANES;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Folding} on the Vector API. */
final class VectorFolding implements Folding {
    private static final int EIGHT = ScalarFolding.EIGHT;

    private static DoubleVector load(double[] x, int at) {
        return DoubleVector.fromArray(DOUBLES, x, at);
    }

    @Override
    public void moments(double[] x, int from, int blocks, double[] out) {
        double[] sums = new double[EIGHT];
        for (int block = 0; block < blocks; block++) {
            int start = from + block * Folds.BLOCK;
            for (int lane = 0; lane < EIGHT; lane += LANES) {
                int at = start + lane;
                DoubleVector first = load(x, at).add(load(x, at + EIGHT));
                DoubleVector second = load(x, at + 2 * EIGHT).add(load(x, at + 3 * EIGHT));
                DoubleVector third = load(x, at + 4 * EIGHT).add(load(x, at + 5 * EIGHT));
                DoubleVector fourth = load(x, at + 6 * EIGHT).add(load(x, at + 7 * EIGHT));
                first.add(second).add(third.add(fourth)).intoArray(sums, lane);
            }
            double mean = ScalarFolding.eight(sums, 0, 1) * (1.0 / Folds.BLOCK);
            for (int lane = 0; lane < EIGHT; lane += LANES) {
                int at = start + lane;
                DoubleVector first = square(x, at, mean).add(square(x, at + EIGHT, mean));
                DoubleVector second = square(x, at + 2 * EIGHT, mean).add(square(x, at + 3 * EIGHT, mean));
                DoubleVector third = square(x, at + 4 * EIGHT, mean).add(square(x, at + 5 * EIGHT, mean));
                DoubleVector fourth = square(x, at + 6 * EIGHT, mean).add(square(x, at + 7 * EIGHT, mean));
                first.add(second).add(third.add(fourth)).intoArray(sums, lane);
            }
            out[2 * block] = mean;
            out[2 * block + 1] = ScalarFolding.eight(sums, 0, 1);
        }
    }

    private static DoubleVector square(double[] x, int at, double mean) {
        DoubleVector distance = load(x, at).sub(mean);
        return distance.mul(distance);
    }

    @Override
    public void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector sum = load(x, from + i).add(origin);
            FloatVector quotient = VectorDoubles.rounded(divisor == 1 ? sum : sum.div(divisor));
            quotient.blend(Float.NaN, quotient.compare(VectorOperators.NE, quotient))
                    .intoArray(out, i);
        }
        ScalarFolding.divide(x, from, origin, divisor, out, i, n);
    }
}
