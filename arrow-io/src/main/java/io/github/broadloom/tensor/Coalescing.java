package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/**
 * Puts the entries of a sparse tensor in row-major order and adds up those at the same place, in the order in which they
 * stood, each sum rounded to the dtype: PyTorch's {@code coalesce}. Works on off-heap integers, one per entry, and not on
 * objects.
 */
final class Coalescing {
    private final Tensor indices;
    private final Tensor values;
    private final int sparseDims;
    private final long nnz;

    private Coalescing(SparseTensor sparse) {
        this.indices = sparse.rawIndices();
        this.values = sparse.rawValues().contiguous();
        this.sparseDims = sparse.sparseDim();
        this.nnz = sparse.nnz();
    }

    /** The same tensor with every place once, in order. */
    static SparseTensor coalesce(SparseTensor sparse) {
        Tensor places = linearIndices(sparse);
        Order order = Order.of(places);
        if (order.strict) {
            return sparse.asCoalesced(sparse.rawIndices(), sparse.rawValues());
        }
        RadixSort.Sorted sorted = RadixSort.sort(places.storage(), sparse.nnz(), order.largest);
        Coalescing coalescing = new Coalescing(sparse);
        try (Hold held = Hold.of(coalescing.indices, coalescing.values)) {
            return coalescing.sumRuns(sparse, sorted);
        } finally {
            sorted.release();
        }
    }

    /** The place of each entry among the sparse dimensions, counted row-major: int64 {@code [nnz]}. */
    static Tensor linearIndices(SparseTensor sparse) {
        Tensor indices = sparse.rawIndices();
        long nnz = sparse.nnz();
        Tensor places = Tensors.zeros(Shape.of(nnz), DType.INT64);
        long to = places.address();
        try (Hold held = Hold.of(indices)) {
            for (int dim = 0; dim < sparse.sparseDim(); dim++) {
                long size = sparse.shape().size(dim);
                long from = indices.address() + Long.BYTES * nnz * dim;
                for (long i = 0; i < Long.BYTES * nnz; i += Long.BYTES) {
                    RawMemory.putLong(to + i, RawMemory.getLong(to + i) * size + RawMemory.getLong(from + i));
                }
            }
        }
        return places;
    }

    /** Whether numbers increase strictly, and the largest of them. */
    private record Order(boolean strict, long largest) {
        static Order of(Tensor numbers) {
            boolean strict = true;
            long largest = -1;
            for (long i = 0; i < numbers.numel(); i++) {
                long number = RawMemory.getLong(numbers.address() + Long.BYTES * i);
                strict &= number > largest;
                largest = Math.max(largest, number);
            }
            return new Order(strict, largest);
        }
    }

    private SparseTensor sumRuns(SparseTensor sparse, RadixSort.Sorted sorted) {
        long distinct = distinctKeys(sorted);
        Tensor newIndices = Tensors.empty(DType.INT64, Shape.of(sparseDims, distinct));
        Tensor newValues =
                Tensors.empty(values.dtype(), SparseChecks.valuesShape(sparse.shape(), sparseDims, distinct));
        long rowElements = values.numel() / nnz;
        long rowBytes = rowElements * values.dtype().bytes();
        RowSum sum = RowSum.of(values.dtype());
        long row = -1;
        for (long at = 0; at < nnz; at++) {
            long position = sorted.position(at);
            long from = values.address() + position * rowBytes;
            if (at > 0 && sorted.key(at) == sorted.key(at - 1)) {
                sum.add(from, newValues.address() + row * rowBytes, rowElements);
            } else {
                row++;
                RawMemory.copy(from, newValues.address() + row * rowBytes, rowBytes);
                copyIndex(position, newIndices, row, distinct);
            }
        }
        return sparse.asCoalesced(newIndices, newValues);
    }

    private long distinctKeys(RadixSort.Sorted sorted) {
        long distinct = 1;
        for (long at = 1; at < nnz; at++) {
            distinct += sorted.key(at) == sorted.key(at - 1) ? 0 : 1;
        }
        return distinct;
    }

    private void copyIndex(long position, Tensor newIndices, long row, long distinct) {
        for (int dim = 0; dim < sparseDims; dim++) {
            long index = RawMemory.getLong(indices.address() + Long.BYTES * (dim * nnz + position));
            RawMemory.putLong(newIndices.address() + Long.BYTES * (dim * distinct + row), index);
        }
    }
}
