package io.github.broadloom.nearest;

/** The mean of vectors: of those whose distances are scored, since one that is too far from all others would take these with it; or zero where there are none. */
public final class MeanVector {
    private final double[] mean;
    private long added;

    public MeanVector(int dimensions) {
        this.mean = new double[dimensions];
    }

    /** Adds a vector, if its distances can be scored. */
    public void add(double[] vector) {
        if (VectorMetric.EUCLIDEAN.isRegular(VectorMetric.norm(vector))) {
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
