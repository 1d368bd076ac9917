package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Gathering;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;

/**
 * The entries that two sparse tensors have at the same places, found in one walk along both, which are in order.
 */
final class Intersection {
    private Intersection() {}

    static SparseTensor mul(SparseTensor a, SparseTensor b) {
        checkAlike(a, b);
        SparseTensor first = a.coalesce();
        SparseTensor second = b.coalesce();
        Matches matches = Matches.of(first.linearIndices(), second.linearIndices());
        Tensor inFirst = Gathering.rows(first.values(), matches.inFirst);
        Tensor inSecond = Gathering.rows(second.values(), matches.inSecond);
        Tensor values = LazyTensor.of(inFirst).mul(inSecond).compute();
        Tensor indices = Gathering.rows(first.indices().t(), matches.inFirst).t();
        Shape shape = withDenseOf(values, first);
        return SparseTensor.of(indices, values, shape).coalesce(); // in order already: nothing is added up
    }

    private static void checkAlike(SparseTensor a, SparseTensor b) {
        boolean alike = a.rank() == b.rank()
                && a.sparseDim() == b.sparseDim()
                && Arrays.equals(
                        a.shape().toArray(), 0, a.sparseDim(), b.shape().toArray(), 0, b.sparseDim());
        if (!alike) {
            throw new IllegalArgumentException("sparse_binary_op_intersection_cpu(): expects sparse inputs with equal"
                    + " dimensionality, number of sparse dimensions, and shape of sparse dimensions");
        }
    }

    private static Shape withDenseOf(Tensor values, SparseTensor sparse) {
        long[] sizes = sparse.shape().toArray();
        System.arraycopy(values.shape().toArray(), 1, sizes, sparse.sparseDim(), values.rank() - 1);
        return Shape.of(sizes);
    }

    /** The positions of the entries that match: int64 vectors of one length. */
    private record Matches(Tensor inFirst, Tensor inSecond) {

        /** Of two vectors of places, each strictly increasing. */
        static Matches of(Tensor first, Tensor second) {
            long most = Math.min(first.numel(), second.numel());
            Tensor inFirst = Tensors.empty(DType.INT64, Shape.of(most));
            Tensor inSecond = Tensors.empty(DType.INT64, Shape.of(most));
            long matches = 0;
            long i = 0;
            long j = 0;
            try (Hold held = Hold.of(first, second)) {
                while (i < first.numel() && j < second.numel()) {
                    long a = RawMemory.getLong(first.address() + Long.BYTES * i);
                    long b = RawMemory.getLong(second.address() + Long.BYTES * j);
                    if (a == b) {
                        RawMemory.putLong(inFirst.address() + Long.BYTES * matches, i);
                        RawMemory.putLong(inSecond.address() + Long.BYTES * matches, j);
                        matches++;
                    }
                    i += a <= b ? 1 : 0;
                    j += b <= a ? 1 : 0;
                }
            }
            return new Matches(inFirst.narrow(0, 0, matches), inSecond.narrow(0, 0, matches));
        }
    }
}
