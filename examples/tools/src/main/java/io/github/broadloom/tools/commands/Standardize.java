package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import java.util.List;
import java.util.Map;

/**
 * Features of mean 0 and standard deviation 1: {@code (x - mean) / std} for each column. The table is read twice: once
 * for all that has to be known of its columns, and once to be written anew. Both are worked out in float64.
 */
final class Standardize {
    private Standardize() {}

    /**
     * Everything that is to be known of the columns, as reductions that share one pass: mean, standard deviation, least
     * and greatest value and the number of NaNs.
     *
     * @param x [N,D]
     * @param correction what the variance's divisor is less than N: 0 as in NumPy, 1 as in PyTorch
     * @return float64 [{@value Statistics#PARTS}, D], to be collected and given to {@link Statistics#of}
     */
    static DistributedTensor statistics(DistributedTensor x, double correction) {
        DistributedTensor wide = x.to(DType.FLOAT64);
        return TensorOps.stack(
                List.of(
                        wide.mean(0),
                        wide.std(correction, KeepDim.DROP, 0),
                        wide.amin(0),
                        wide.amax(0),
                        wide.isnan().countNonzero(0).to(DType.FLOAT64)),
                0);
    }

    /**
     * The table with every feature moved by its mean and divided by its deviation.
     *
     * @param eps the least that is divided by; with 0 a constant feature becomes NaN, as 0/0 is
     * @return [N,D] in {@linkplain Floats#of the floating dtype} of x
     */
    static DistributedTensor of(Broadloom broadloom, DistributedTensor x, Statistics statistics, double eps) {
        Map<String, DistributedTensor> names = Map.of(
                "x",
                x,
                "mean",
                broadloom.tensor(statistics.means()),
                "std",
                broadloom.tensor(statistics.divisors(eps)));
        return broadloom.eval("(x - mean) / std", names).to(Floats.of(x.dtype()));
    }
}
