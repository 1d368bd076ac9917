package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Ops;

/**
 * Activation functions that write over this handle, as {@link ActivationOps} without the underscore; part of {@link
 * InPlaceOps}.
 */
public interface InPlaceActivationOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Replaces what is below zero by zero. */
    default T relu_() {
        return apply_(Ops.RELU);
    }

    /** Takes the logistic function. */
    default T sigmoid_() {
        return apply_(Ops.SIGMOID);
    }
}
