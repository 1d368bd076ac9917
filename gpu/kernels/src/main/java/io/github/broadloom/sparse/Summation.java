package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Gathering;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sums over dimensions: over dense ones in the values; over some sparse ones by leaving their coordinates out, so that
 * entries come to share a place, and coalescing; over all sparse ones by adding up the values.
 */
final class Summation {
    private Summation() {}

    static Tensor all(SparseTensor a) {
        return LazyTensor.of(widened(a).coalesce().values()).sum().compute();
    }

    static SparseTensor over(SparseTensor a, int... dims) {
        boolean[] summed = summed(a, dims);
        int[] kept =
                IntStream.range(0, a.sparseDim()).filter(dim -> !summed[dim]).toArray();
        if (kept.length == 0) {
            throw new IllegalArgumentException("Cannot sum over dimensions " + Arrays.toString(dims)
                    + " to a sparse tensor: no sparse dimension remains; use sumToDense");
        }
        SparseTensor narrowed = overDense(a, summed);
        if (kept.length == a.sparseDim()) {
            return narrowed.coalesce();
        }
        long[] positions = Arrays.stream(kept).asLongStream().toArray();
        Tensor indices = Gathering.rows(narrowed.rawIndices(), Tensors.of(positions));
        long[] sizes = new long[kept.length + narrowed.denseDim()];
        for (int i = 0; i < sizes.length; i++) {
            int dim = i < kept.length ? kept[i] : a.sparseDim() + i - kept.length;
            sizes[i] = narrowed.shape().size(dim);
        }
        return SparseTensor.of(indices, narrowed.rawValues(), Shape.of(sizes)).coalesce();
    }

    static Tensor toDense(SparseTensor a, int... dims) {
        boolean[] summed = summed(a, dims);
        boolean remains = IntStream.range(0, a.sparseDim()).anyMatch(dim -> !summed[dim]);
        return remains
                ? over(a, dims).toDense()
                : LazyTensor.of(overDense(a, summed).rawValues()).sum(0).compute();
    }

    /** The values summed over dense dimensions. */
    private static SparseTensor overDense(SparseTensor a, boolean[] summed) {
        SparseTensor wide = widened(a);
        int[] dense = IntStream.range(a.sparseDim(), a.rank())
                .filter(dim -> summed[dim])
                .map(dim -> dim - a.sparseDim() + 1)
                .toArray();
        return dense.length == 0
                ? wide
                : wide.withValues(LazyTensor.of(wide.rawValues()).sum(dense).compute());
    }

    /** Integers, and bools after each place has one, in int64, so that they do not wrap where they come together. */
    private static SparseTensor widened(SparseTensor a) {
        if (a.dtype().isFloatingPoint()) {
            return a;
        }
        return (a.dtype() == DType.BOOL ? a.coalesce() : a).to(DType.INT64);
    }

    private static boolean[] summed(SparseTensor a, int... dims) {
        boolean[] summed = new boolean[Math.max(1, a.rank())];
        for (int dim : dims) {
            int at = a.shape().normalizeDim(dim);
            if (summed[at]) {
                throw new IllegalArgumentException("dim " + at + " appears multiple times in the list of dims");
            }
            summed[at] = true;
        }
        return summed;
    }
}
