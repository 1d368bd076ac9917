package io.github.broadloom.tools.commands;

import io.github.broadloom.spark.DistributedTensor;

/** How far apart two points are: what becomes of the differences of their coordinates. */
enum Metric {
    /** The root of the sum of the squares. */
    EUCLIDEAN,
    /** The sum of the squares. */
    SQEUCLIDEAN,
    /** The sum of the amounts. */
    MANHATTAN,
    /** The largest amount. */
    CHEBYSHEV;

    /**
     * What orders pairs of points as their distances do, and is cheaper where a root can wait.
     *
     * @param differences [N,M,D]
     * @return [N,M]
     */
    DistributedTensor comparable(DistributedTensor differences) {
        return switch (this) {
            case EUCLIDEAN, SQEUCLIDEAN -> differences.square().sum(-1);
            case MANHATTAN -> differences.abs().sum(-1);
            case CHEBYSHEV -> differences.abs().amax(-1);
        };
    }

    /** The distance that {@link #comparable} stands for. */
    DistributedTensor distance(DistributedTensor comparable) {
        return this == EUCLIDEAN ? comparable.sqrt() : comparable;
    }
}
