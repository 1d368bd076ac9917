package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sums of the products of a dtype, panel after panel, in floats of float32 and of reduced floating dtypes, doubles, longs, and ints of the narrower integers, which
 * wrap when they are stored. Those of panels are joined by the pairwise tree over their number, and at the end what is left, the smaller to the greater.
 */
final class ProductSums {
    private final DType dtype;
    private final int size;
    private final MicroKernels products;
    private final PairwiseTree tree = new PairwiseTree((left, right, before, after) -> added(left, right));
    private final Deque<Object> free = new ArrayDeque<>();
    private long panels;
    private int used;

    /** @param size the most elements that the sums of a panel have */
    ProductSums(DType dtype, int size) {
        if (dtype == DType.BOOL) {
            throw new IllegalArgumentException("Cannot multiply matrices of bool; convert them first");
        }
        this.dtype = dtype;
        this.size = size;
        this.products = MicroKernelSource.of(dtype.valueType());
    }

    MicroKernels products() {
        return products;
    }

    /** Whether the stored elements are what is computed with. */
    boolean isStored() {
        return dtype.bytes() >= Integer.BYTES;
    }

    Object allocate(int count) {
        return dtype.valueType().element().newArray(count);
    }

    /** Stored elements as what is computed with, where that is another type. */
    void load(Object stored, Object into, int count) {
        if (dtype.isReducedFloatingPoint()) {
            Casts.toFloat32(dtype, (short[]) stored, (float[]) into, count);
        } else if (stored instanceof short[] shorts) {
            Casts.int16ToInt32(shorts, (int[]) into, count);
        } else if (dtype.isSigned()) {
            Casts.int8ToInt32((byte[]) stored, (int[]) into, count);
        } else {
            Casts.uint8ToInt32((byte[]) stored, (int[]) into, count);
        }
    }

    /** Results as they are stored, rounded or wrapped, one NaN for all; may change {@code values}. */
    void store(Object values, Object stored, int count) {
        products.keepOneNaN(values, count);
        if (dtype.isReducedFloatingPoint()) {
            Casts.fromFloat32(dtype, (float[]) values, (short[]) stored, count);
        } else if (stored instanceof short[] shorts) {
            Casts.int32ToInt16((int[]) values, shorts, count);
        } else if (stored instanceof byte[] bytes) {
            Casts.int32ToInt8((int[]) values, bytes, count);
        }
    }

    /** An array for the products of the next panel, with any content. */
    Object take() {
        return free.isEmpty() ? allocate(size) : free.pop();
    }

    /** The next panel's products: the first {@code elements} of an array that was taken, as many each time. */
    void push(Object panel, int elements) {
        used = elements;
        tree.push(new FoldNode(0, panels++, panel));
    }

    private Object added(Object left, Object right) {
        products.add(left, right, used);
        free.push(right);
        return left;
    }

    /** The sum of all panels, until the next array is taken; there are none then. */
    Object finish() {
        Object sum = tree.joinFromRight();
        free.push(sum);
        panels = 0;
        return sum;
    }
}
