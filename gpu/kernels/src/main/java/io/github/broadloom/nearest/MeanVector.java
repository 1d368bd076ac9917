package io.github.broadloom.nearest;

import java.util.Arrays;

/** The mean of vectors: of those that are finite, or zero where there are none. */
public final class MeanVector {
    private final double[] mean;
    private long added;

    public MeanVector(int dimensions) {
        this.mean = new double[dimensions];
    }

    /** Adds a vector, if it is finite. */
    public void add(double[] vector) {
        if (Arrays.stream(vector).allMatch(Double::isFinite)) {
            added++;
            for (int d = 0; d < mean.length; d++) {
                mean[d] += (vector[d] - mean[d]) / added;
            }
        }
    }

    public double[] value() {
        return mean.clone();
    }
}
