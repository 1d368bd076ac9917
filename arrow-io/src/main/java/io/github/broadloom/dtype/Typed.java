package io.github.broadloom.dtype;

import io.github.broadloom.dtype.Promotion.Term;

/** What has a dtype and takes part in promotion: a tensor of any kind, a handle on an expression, an expression. */
public interface Typed {
    DType dtype();

    /** How this weighs in {@link Promotion#resultType(Object...)}. */
    Term term();

    /** Whether the dtype is a floating one, as {@code Tensor.is_floating_point()}. */
    default boolean isFloatingPoint() {
        return dtype().isFloatingPoint();
    }
}
