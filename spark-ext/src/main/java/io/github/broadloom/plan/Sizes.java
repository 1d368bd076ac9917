package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/** Bytes of tensors and of their rows. */
final class Sizes {
    private Sizes() {}

    static long bytes(DType dtype, Shape shape) {
        return saturated(shape.numel(), dtype.bytes());
    }

    /** The bytes of one row: of everything, where there is no dimension to cut. */
    static long rowBytes(DType dtype, Shape shape) {
        return bytes(dtype, shape.rank() == 0 ? shape : shape.inner());
    }

    static long rows(Shape shape) {
        return shape.rank() == 0 ? 1 : shape.size(0);
    }

    /** The product, or the largest long where it overflows. */
    static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
