package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Bits that write over this handle, as {@link BitOps} without the underscore; part of {@link InPlaceOps}. */
public interface InPlaceBitOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(T other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(Tensor other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(Number other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(T other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(Tensor other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(Number other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(T other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(Tensor other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(Number other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(T other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(Tensor other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(Number other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(T other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(Tensor other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(Number other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Flips all bits; of integers and bools. */
    default T bitwiseNot_() {
        return apply_(Ops.BITWISE_NOT);
    }
}
