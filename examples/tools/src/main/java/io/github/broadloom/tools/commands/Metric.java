package io.github.broadloom.tools.commands;

import io.github.broadloom.spark.DistributedTensor;

/** How far apart two points are: what becomes of the differences of their coordinates. */
enum Metric {
    EUCLIDEAN,
    SQEUCLIDEAN,
    MANHATTAN,
    CHEBYSHEV;

    /** What orders pairs of points as their distances do, and is cheaper where a root can wait: from differences [N,M,D] to [N,M]. */
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
