package io.github.broadloom.expr;

import io.github.broadloom.tensor.Tensor;

/** Comparisons, truth and bits; part of {@link TensorOps}. */
public interface ComparisonOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** Whether equal; NaN equals nothing. */
    default T eq(T other) {
        return apply(Ops.EQ, other);
    }

    /** Whether equal; NaN equals nothing. */
    default T eq(Tensor other) {
        return apply(Ops.EQ, other);
    }

    /** Whether equal; NaN equals nothing. */
    default T eq(Number other) {
        return apply(Ops.EQ, other);
    }

    /** Whether different; NaN differs from itself. */
    default T ne(T other) {
        return apply(Ops.NE, other);
    }

    /** Whether different; NaN differs from itself. */
    default T ne(Tensor other) {
        return apply(Ops.NE, other);
    }

    /** Whether different; NaN differs from itself. */
    default T ne(Number other) {
        return apply(Ops.NE, other);
    }

    /** Whether smaller. */
    default T lt(T other) {
        return apply(Ops.LT, other);
    }

    /** Whether smaller. */
    default T lt(Tensor other) {
        return apply(Ops.LT, other);
    }

    /** Whether smaller. */
    default T lt(Number other) {
        return apply(Ops.LT, other);
    }

    /** Whether smaller or equal. */
    default T le(T other) {
        return apply(Ops.LE, other);
    }

    /** Whether smaller or equal. */
    default T le(Tensor other) {
        return apply(Ops.LE, other);
    }

    /** Whether smaller or equal. */
    default T le(Number other) {
        return apply(Ops.LE, other);
    }

    /** Whether greater. */
    default T gt(T other) {
        return apply(Ops.GT, other);
    }

    /** Whether greater. */
    default T gt(Tensor other) {
        return apply(Ops.GT, other);
    }

    /** Whether greater. */
    default T gt(Number other) {
        return apply(Ops.GT, other);
    }

    /** Whether greater or equal. */
    default T ge(T other) {
        return apply(Ops.GE, other);
    }

    /** Whether greater or equal. */
    default T ge(Tensor other) {
        return apply(Ops.GE, other);
    }

    /** Whether greater or equal. */
    default T ge(Number other) {
        return apply(Ops.GE, other);
    }

    /** Whether both are true, that is, not zero. */
    default T logicalAnd(T other) {
        return apply(Ops.LOGICAL_AND, other);
    }

    /** Whether both are true, that is, not zero. */
    default T logicalAnd(Tensor other) {
        return apply(Ops.LOGICAL_AND, other);
    }

    /** Whether both are true, that is, not zero. */
    default T logicalAnd(Number other) {
        return apply(Ops.LOGICAL_AND, other);
    }

    /** Whether one is true, that is, not zero. */
    default T logicalOr(T other) {
        return apply(Ops.LOGICAL_OR, other);
    }

    /** Whether one is true, that is, not zero. */
    default T logicalOr(Tensor other) {
        return apply(Ops.LOGICAL_OR, other);
    }

    /** Whether one is true, that is, not zero. */
    default T logicalOr(Number other) {
        return apply(Ops.LOGICAL_OR, other);
    }

    /** Whether exactly one is true, that is, not zero. */
    default T logicalXor(T other) {
        return apply(Ops.LOGICAL_XOR, other);
    }

    /** Whether exactly one is true, that is, not zero. */
    default T logicalXor(Tensor other) {
        return apply(Ops.LOGICAL_XOR, other);
    }

    /** Whether exactly one is true, that is, not zero. */
    default T logicalXor(Number other) {
        return apply(Ops.LOGICAL_XOR, other);
    }

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

    /** Whether false, that is, zero. */
    default T logicalNot() {
        return apply(Ops.LOGICAL_NOT);
    }

    /** All bits inverted; of bools, not. */
    default T bitwiseNot() {
        return apply(Ops.BITWISE_NOT);
    }

    /** Whether NaN. */
    default T isnan() {
        return apply(Ops.ISNAN);
    }

    /** Whether infinite. */
    default T isinf() {
        return apply(Ops.ISINF);
    }

    /** Whether neither NaN nor infinite. */
    default T isfinite() {
        return apply(Ops.ISFINITE);
    }

    /** Whether the sign bit is set, of -0.0 too. */
    default T signbit() {
        return apply(Ops.SIGNBIT);
    }
}
