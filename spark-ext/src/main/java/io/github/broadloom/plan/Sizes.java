package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;

/** Bytes of tensors and of their rows. */
final class Sizes {
    private static final int WORK_PER_BYTE = 8;

    private Sizes() {}

    static long bytes(DType dtype, Shape shape) {
        return saturated(shape.numel(), dtype.bytes());
    }

    static long bytes(Expr value) {
        return bytes(value.dtype(), value.shape());
    }

    /** The bytes of one index along a dimension: of everything, where there is none. */
    static long indexBytes(DType dtype, Shape shape, int dim) {
        return bytes(dtype, shape.rank() == 0 ? shape : shape.without(dim));
    }

    /**
     * What an index along a dimension of the largest tensor that is computed on the way counts for when work is shared out among tasks. The tensor is never
     * stored, so its bytes are only work, and about that much of the work that as many bytes of memory are.
     *
     * @param size of the dimension
     */
    static long workBytes(Iterable<Expr> outputs, long size) {
        long largest = 0;
        for (Expr output : outputs) {
            for (Expr node : output.postOrder()) {
                if (Arrays.stream(node.shape().toArray()).anyMatch(s -> s == size)) {
                    largest = Math.max(largest, bytes(node.dtype(), node.shape()));
                }
            }
        }
        return largest / Math.max(1, size) / WORK_PER_BYTE;
    }

    static long rows(Shape shape) {
        return shape.rank() == 0 ? 1 : shape.size(0);
    }

    /** The sum, or the largest long where it overflows. */
    static long sum(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
    }

    /** The product, or the largest long where it overflows. */
    static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
