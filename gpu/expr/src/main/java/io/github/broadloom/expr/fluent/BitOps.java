package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Bits and shifts of integers and bools; part of {@link TensorOps}. */
public interface BitOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** Bitwise and of integers; of bools, and. */
    default T bitwiseAnd(T other) {
        return apply(Ops.BITWISE_AND, other);
    }

    /** Bitwise and of integers; of bools, and. */
    default T bitwiseAnd(Tensor other) {
        return apply(Ops.BITWISE_AND, other);
    }

    /** Bitwise and of integers; of bools, and. */
    default T bitwiseAnd(Number other) {
        return apply(Ops.BITWISE_AND, other);
    }

    /** Bitwise or of integers; of bools, or. */
    default T bitwiseOr(T other) {
        return apply(Ops.BITWISE_OR, other);
    }

    /** Bitwise or of integers; of bools, or. */
    default T bitwiseOr(Tensor other) {
        return apply(Ops.BITWISE_OR, other);
    }

    /** Bitwise or of integers; of bools, or. */
    default T bitwiseOr(Number other) {
        return apply(Ops.BITWISE_OR, other);
    }

    /** Bitwise xor of integers; of bools, xor. */
    default T bitwiseXor(T other) {
        return apply(Ops.BITWISE_XOR, other);
    }

    /** Bitwise xor of integers; of bools, xor. */
    default T bitwiseXor(Tensor other) {
        return apply(Ops.BITWISE_XOR, other);
    }

    /** Bitwise xor of integers; of bools, xor. */
    default T bitwiseXor(Number other) {
        return apply(Ops.BITWISE_XOR, other);
    }

    /** All bits inverted; of bools, not. */
    default T bitwiseNot() {
        return apply(Ops.BITWISE_NOT);
    }

    /** Bits moved up; 0 where the count is negative or passes the width. */
    default T bitwiseLeftShift(T other) {
        return apply(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Bits moved up; 0 where the count is negative or passes the width. */
    default T bitwiseLeftShift(Tensor other) {
        return apply(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Bits moved up; 0 where the count is negative or passes the width. */
    default T bitwiseLeftShift(Number other) {
        return apply(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    default T bitwiseRightShift(T other) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    default T bitwiseRightShift(Tensor other) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    default T bitwiseRightShift(Number other) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, other);
    }
}
