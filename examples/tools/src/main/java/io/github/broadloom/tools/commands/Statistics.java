package io.github.broadloom.tools.commands;

import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.picture.RangesPicture;
import java.util.stream.DoubleStream;

/**
 * What one pass over a table finds of each of its features.
 *
 * @param mean NaN where the feature has a NaN; of a constant feature its value
 * @param deviation of a constant feature exactly zero, which rounding may miss
 * @param least NaN where the feature has a NaN
 * @param most NaN where the feature has a NaN
 * @param nans how many values are NaN
 */
record Statistics(double[] mean, double[] deviation, double[] least, double[] most, long[] nans) {
    static final int PARTS = 5;

    /** @param parts float64 [{@value #PARTS}, D] in the order of the components */
    static Statistics of(Tensor parts) {
        double[] mean = row(parts, 0);
        double[] deviation = row(parts, 1);
        double[] least = row(parts, 2);
        double[] most = row(parts, 3);
        long[] nans =
                DoubleStream.of(row(parts, 4)).mapToLong(count -> (long) count).toArray();
        for (int i = 0; i < nans.length; i++) {
            if (least[i] == most[i]) {
                mean[i] = least[i];
                deviation[i] = 0;
            }
        }
        return new Statistics(mean, deviation, least, most, nans);
    }

    private static double[] row(Tensor parts, long row) {
        return parts.select(0, row).contiguous().toDoubleArray();
    }

    int features() {
        return mean.length;
    }

    boolean isConstant(int feature) {
        return least[feature] == most[feature];
    }

    Tensor means() {
        return Tensors.copyOf(mean, mean.length);
    }

    Tensor deviations() {
        return Tensors.copyOf(deviation, deviation.length);
    }

    /** What a feature is divided by: its deviation, or {@code eps} where that is larger; float64 [D]. */
    Tensor divisors(double eps) {
        double[] divisors =
                DoubleStream.of(deviation).map(std -> Math.max(std, eps)).toArray(); // NaN stays
        return Tensors.copyOf(divisors, features());
    }

    RangesPicture.Ranges ranges() {
        return new RangesPicture.Ranges(mean, deviation, least, most);
    }

    /** Where they are once each is moved by its mean and divided. */
    RangesPicture.Ranges after(double eps) {
        double[] divisors = divisors(eps).toDoubleArray();
        double[] zero = new double[features()];
        double[] one = new double[features()];
        double[] low = new double[features()];
        double[] high = new double[features()];
        for (int i = 0; i < divisors.length; i++) {
            zero[i] = 0 / divisors[i]; // NaN by zero
            one[i] = deviation[i] / divisors[i];
            low[i] = (least[i] - mean[i]) / divisors[i];
            high[i] = (most[i] - mean[i]) / divisors[i];
        }
        return new RangesPicture.Ranges(zero, one, low, high);
    }
}
