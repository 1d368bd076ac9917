package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Shape;

/** Bytes of tensors and of their rows. */
final class Sizes {
    private static final int WORK_PER_BYTE = 8;

    private Sizes() {}

    static long bytes(DType dtype, Shape shape) {
        return saturated(shape.numel(), dtype.bytes());
    }

    /** The bytes of one row: of everything, where there is no dimension to cut. */
    static long rowBytes(DType dtype, Shape shape) {
        return bytes(dtype, shape.rank() == 0 ? shape : shape.inner());
    }

    /**
     * What a row of the largest tensor that is computed on the way counts for when rows are shared out among tasks. It is never stored, so its
     * bytes are only work, and about that much of the work that as many bytes of memory are.
     */
    static long workBytes(Iterable<Expr> outputs, long rows) {
        long widest = 0;
        for (Expr output : outputs) {
            for (Expr node : output.postOrder()) {
                if (node.shape().rank() > 0 && node.shape().size(0) == rows) {
                    widest = Math.max(widest, rowBytes(node.dtype(), node.shape()) / WORK_PER_BYTE);
                }
            }
        }
        return widest;
    }

    static long rows(Shape shape) {
        return shape.rank() == 0 ? 1 : shape.size(0);
    }

    /** The product, or the largest long where it overflows. */
    static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
