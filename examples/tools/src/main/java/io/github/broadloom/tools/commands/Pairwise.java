package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.spark.DistributedTensor;

/**
 * The nearest row of one point set for each row of another, by the differences of all pairs: [N,1,D] with [1,M,D]. No
 * more of the product [N,M,D] than a task is just looking at is ever in memory.
 *
 * <p>Differences are squared, not worked out as |a|² + |b|² - 2ab, which a matrix product could do: of points that lie
 * close together and far from the origin that leaves nothing but rounding.
 *
 * @param pass what one pass finds, float64 [N,2], to be kept while {@link #index} and {@link #distance} are taken from it
 */
record Pairwise(DistributedTensor pass, DType dtype, Metric metric) {
    /**
     * Nearest rows of {@code b}; of equally near ones the first. Distances are in the dtype that both sets promote to,
     * and of integers in {@linkplain Floats#of the one that holds them}.
     *
     * @param a [N,D]
     * @param b [M,D], M at least 1
     */
    static Pairwise of(DistributedTensor a, DistributedTensor b, Metric metric) {
        DType dtype = Floats.of(a.dtype(), b.dtype());
        DistributedTensor differences = a.to(dtype).unsqueeze(1).sub(b.to(dtype).unsqueeze(0));
        DistributedTensor comparable = metric.comparable(differences);
        // Stacked, so that one pass over the pairs finds both; float64 holds every index below 2⁵³.
        DistributedTensor nearest = comparable.amin(1).to(DType.FLOAT64);
        DistributedTensor index = comparable.argmin(1).to(DType.FLOAT64);
        return new Pairwise(nearest.stack(1, index), dtype, metric);
    }

    /** The number of the nearest row, int64 [N]. */
    DistributedTensor index() {
        return pass.select(1, 1).to(DType.INT64);
    }

    DistributedTensor distance() {
        return metric.distance(pass.select(1, 0)).to(dtype);
    }
}
