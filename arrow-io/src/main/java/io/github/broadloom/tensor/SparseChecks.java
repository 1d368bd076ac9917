package io.github.broadloom.tensor;

import io.github.broadloom.shape.Shape;

/** What makes indices, values and a shape a sparse tensor, in PyTorch's words. */
final class SparseChecks {
    private SparseChecks() {}

    static void checkIndices(Tensor indices) {
        if (indices.rank() != 2) {
            throw new IllegalArgumentException("indices must be sparse_dim x nnz, but got: " + indices.shape());
        }
    }

    /** The smallest shape that holds the entries: of no entries, 0 along every sparse dimension. */
    static Shape inferShape(Tensor indices, Tensor values) {
        int sparseDims = (int) indices.shape().size(0);
        long[] sizes = new long[sparseDims];
        for (int dim = 0; dim < sparseDims; dim++) {
            Range range = Range.of(indices, dim);
            range.checkNotNegative(dim);
            sizes[dim] = Math.addExact(range.max, 1);
        }
        return Shape.of(sizes).concat(values.shape().inner());
    }

    /** Refuses what PyTorch refuses under {@code check_invariants=True}, in its order. */
    static void check(Tensor indices, Tensor values, Shape shape) {
        int sparseDims = (int) indices.shape().size(0);
        int denseDims = values.rank() - 1;
        if (shape.rank() != sparseDims + denseDims) {
            throw new IllegalArgumentException("'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
                    + shape.rank() + ", sparse_dim = " + sparseDims + ", dense_dim = " + denseDims);
        }
        long nnz = indices.shape().size(1);
        if (values.shape().size(0) != nnz) {
            throw new IllegalArgumentException("indices and values must have same nnz, but got nnz from indices: " + nnz
                    + ", nnz from values: " + values.shape().size(0));
        }
        Shape expected = valuesShape(shape, sparseDims, nnz);
        if (!values.shape().equals(expected)) {
            throw new IllegalArgumentException(
                    "values has incorrect size, expected " + expected + ", got " + values.shape());
        }
        for (int dim = 0; dim < sparseDims; dim++) {
            Range range = Range.of(indices, dim);
            range.checkNotNegative(dim);
            if (range.max >= shape.size(dim)) {
                throw new IllegalArgumentException("size is inconsistent with indices: for dim " + dim + ", size is "
                        + shape.size(dim) + " but found index " + range.max);
            }
        }
    }

    /** The shape of the values: one for each entry, each with the dense dimensions. */
    static Shape valuesShape(Shape shape, int sparseDims, long nnz) {
        return shape.dims(sparseDims, shape.rank()).withLeading(nnz);
    }

    /** The smallest and the largest index along a dimension; of none, 0 and -1. */
    private record Range(long min, long max) {

        static Range of(Tensor indices, int dim) {
            long count = indices.shape().size(1);
            long address = indices.address() + Long.BYTES * count * dim;
            long min = 0;
            long max = -1;
            try (Hold held = Hold.of(indices)) {
                for (long i = 0; i < count; i++) {
                    long index = RawMemory.getLong(address + Long.BYTES * i);
                    min = Math.min(min, index);
                    max = Math.max(max, index);
                }
            }
            return new Range(min, max);
        }

        void checkNotNegative(int dim) {
            if (min < 0) {
                throw new IllegalArgumentException("found negative index " + min + " for dim " + dim);
            }
        }
    }
}
