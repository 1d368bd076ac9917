package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The dimensions of a sparse tensor in another order; the indices are copied, the values are shared. */
final class SparseViews {
    private SparseViews() {}

    static SparseTensor transpose(SparseTensor sparse, int dim0, int dim1) {
        int first = sparse.shape().normalizeDim(dim0);
        int second = sparse.shape().normalizeDim(dim1);
        if (first == second) {
            return sparse;
        }
        int sparseDims = sparse.sparseDim();
        if (first >= sparseDims || second >= sparseDims) {
            throw new IllegalArgumentException("sparse transpose: transposed dimensions must be sparse Got sparse_dim: "
                    + sparseDims + ", d0: " + first + ", d1: " + second);
        }
        int[] order = IntStream.range(0, sparse.rank()).toArray();
        order[first] = second;
        order[second] = first;
        return permute(sparse, order);
    }

    static SparseTensor t(SparseTensor sparse) {
        if (sparse.sparseDim() > 2 || sparse.denseDim() > 0) {
            throw new IllegalArgumentException("t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
                    + sparse.sparseDim() + " sparse and " + sparse.denseDim() + " dense dimensions");
        }
        return sparse.rank() < 2 ? sparse : transpose(sparse, 0, 1);
    }

    static SparseTensor permute(SparseTensor sparse, int... dims) {
        Shape shape = Layout.contiguous(sparse.shape()).permute(dims).shape();
        int rank = dims.length;
        int[] order =
                Arrays.stream(dims).map(dim -> sparse.shape().normalizeDim(dim)).toArray();
        int sparseDims = sparse.sparseDim();
        int[] values = new int[1 + sparse.denseDim()];
        for (int dim = 0; dim < rank; dim++) {
            if (dim < sparseDims != order[dim] < sparseDims) {
                throw new IllegalArgumentException("permute(sparse_coo): transpositions between sparse and dense"
                        + " dimensions are not allowed.Only transpositions within sparse and dense dimensions are"
                        + " supported.");
            }
            if (dim >= sparseDims) {
                values[dim - sparseDims + 1] = order[dim] - sparseDims + 1;
            }
        }
        int[] rows = Arrays.copyOf(order, sparseDims);
        boolean inOrder = Arrays.equals(rows, IntStream.range(0, sparseDims).toArray());
        Tensor indices = inOrder ? sparse.rawIndices() : rows(sparse.rawIndices(), rows);
        return SparseTensor.ofChecked(
                indices, sparse.rawValues().permute(values), shape, inOrder && sparse.isCoalesced());
    }

    private static Tensor rows(Tensor indices, int[] rows) {
        Tensor positions = Tensors.of(Arrays.stream(rows).asLongStream().toArray());
        return Gathering.rows(indices, positions);
    }

    static SparseTensor unsqueeze(SparseTensor sparse, int dim) {
        Shape shape = Layout.contiguous(sparse.shape()).unsqueeze(dim).shape();
        int at = dim < 0 ? dim + shape.rank() : dim;
        if (at > sparse.sparseDim()) {
            Tensor values = sparse.rawValues().unsqueeze(at - sparse.sparseDim() + 1);
            return SparseTensor.ofChecked(sparse.rawIndices(), values, shape, sparse.isCoalesced());
        }
        Tensor indices = Tensors.zeros(Shape.of(sparse.sparseDim() + 1, sparse.nnz()), DType.INT64);
        indices.narrow(0, 0, at).copy_(sparse.rawIndices().narrow(0, 0, at));
        int rest = sparse.sparseDim() - at;
        indices.narrow(0, at + 1, rest).copy_(sparse.rawIndices().narrow(0, at, rest));
        return SparseTensor.ofChecked(indices, sparse.rawValues(), shape, sparse.isCoalesced());
    }
}
