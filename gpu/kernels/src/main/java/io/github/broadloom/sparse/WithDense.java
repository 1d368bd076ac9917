package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Gathering;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.function.BinaryOperator;

/**
 * A sparse tensor and a dense one that broadcasts: the dense one is expanded to the common shape, which copies nothing,
 * and read at the entries of the coalesced one. Where the sparse one is smaller, its entries are repeated first.
 */
final class WithDense {
    private WithDense() {}

    /** The operation of the values, its first argument, and of the dense elements at them. */
    static SparseTensor apply(BinaryOperator<LazyTensor> operation, SparseTensor a, Tensor b) {
        Shape common = Broadcasting.broadcastShapes(b.shape(), a.shape());
        if (b.rank() == 0) { // promotes as a zero-dim tensor, so that it is not gathered
            return withValues(operation, a.coalesce(), b);
        }
        SparseTensor entries = expandSparseDims(a.coalesce(), common);
        return withValues(operation, entries, Gathering.at(b.expand(common), entries.indices()));
    }

    private static SparseTensor withValues(BinaryOperator<LazyTensor> operation, SparseTensor a, Tensor b) {
        LazyTensor values = LazyTensor.of(a.values());
        return a.withValues(operation.apply(values, LazyTensor.of(b)).compute());
    }

    /**
     * The entries of a coalesced tensor repeated over the sparse dimensions of a larger shape; its dense dimensions
     * stay.
     */
    static SparseTensor expandSparseDims(SparseTensor a, Shape common) {
        int sparseDims = common.rank() - a.denseDim();
        long[] target = Arrays.copyOf(common.toArray(), sparseDims);
        int added = sparseDims - a.sparseDim();
        long[] own = new long[sparseDims];
        Arrays.fill(own, 0, added, 1);
        System.arraycopy(a.shape().toArray(), 0, own, added, a.sparseDim());
        if (Arrays.equals(own, target)) {
            return added == 0 ? a : leadingOnes(a, added);
        }
        SparseTensor each = leadingOnes(a, added);
        for (int dim = sparseDims - 1; dim >= 0; dim--) {
            if (own[dim] != target[dim]) {
                each = repeat(each, dim, target[dim]);
            }
        }
        return each.coalesce(); // in order, and known to be
    }

    private static SparseTensor leadingOnes(SparseTensor a, int count) {
        SparseTensor result = a;
        for (int i = 0; i < count; i++) {
            result = result.unsqueeze(0);
        }
        return result;
    }

    /** The entries repeated along a sparse dimension of size one: for each index in turn, all of them. */
    private static SparseTensor repeat(SparseTensor a, int dim, long size) {
        long nnz = a.nnz();
        Tensor indices = Tensors.empty(DType.INT64, Shape.of(a.sparseDim(), size, nnz));
        indices.copy_(a.rawIndices().unsqueeze(1));
        indices.select(0, dim).copy_(Tensors.arange(size).unsqueeze(1));
        Tensor values = a.rawValues();
        long[] expanded = new long[values.rank() + 1];
        expanded[0] = size;
        System.arraycopy(values.shape().toArray(), 0, expanded, 1, values.rank());
        long[] flat = values.shape().with(0, Math.multiplyExact(size, nnz)).toArray();
        return SparseTensor.of(
                indices.view(a.sparseDim(), size * nnz),
                values.unsqueeze(0).expand(expanded).reshape(flat),
                a.shape().with(dim, size));
    }
}
