package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Gathering;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * The entries that two sparse tensors have at the same places. Each entry of the one that has fewer is looked up in the
 * other, by bisection.
 */
final class Intersection {
    private Intersection() {}

    static SparseTensor mul(SparseTensor a, SparseTensor b) {
        checkAlike(a, b);
        SparseTensor first = a.coalesce();
        SparseTensor second = b.coalesce();
        SparseTensor walked = first.nnz() <= second.nnz() ? first : second;
        SparseTensor searched = walked == first ? second : first;
        Matches matches = Matches.of(walked.linearIndices(), searched.linearIndices());
        Tensor inWalked = Gathering.rows(walked.values(), matches.walked);
        Tensor inSearched = Gathering.rows(searched.values(), matches.searched);
        Tensor values = LazyTensor.of(inWalked).mul(inSearched).eval();
        Tensor indices = Gathering.rows(walked.indices().t(), matches.walked).t();
        Shape shape = withDenseOf(values, walked);
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
    private record Matches(Tensor walked, Tensor searched) {

        /** Looks each place up among sorted ones. */
        static Matches of(Tensor places, Tensor sorted) {
            long count = places.numel();
            Tensor found = Tensors.empty(DType.INT64, Shape.of(count));
            Tensor at = Tensors.empty(DType.INT64, Shape.of(count));
            long matches = 0;
            for (long i = 0; i < count; i++) {
                long position = find(RawMemory.getLong(places.address() + Long.BYTES * i), sorted);
                if (position >= 0) {
                    RawMemory.putLong(at.address() + Long.BYTES * matches, i);
                    RawMemory.putLong(found.address() + Long.BYTES * matches, position);
                    matches++;
                }
            }
            Reference.reachabilityFence(places);
            Reference.reachabilityFence(at);
            Reference.reachabilityFence(found);
            return new Matches(at.narrow(0, 0, matches), found.narrow(0, 0, matches));
        }

        /** The position of a place by bisection, or -1. */
        private static long find(long place, Tensor sorted) {
            long low = 0;
            long high = sorted.numel() - 1;
            while (low <= high) {
                long middle = (low + high) >>> 1;
                long there = RawMemory.getLong(sorted.address() + Long.BYTES * middle);
                if (there == place) {
                    return middle;
                }
                if (there < place) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            Reference.reachabilityFence(sorted);
            return -1;
        }
    }
}
