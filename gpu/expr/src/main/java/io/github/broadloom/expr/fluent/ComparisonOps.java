package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.NanEquality;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Comparisons and truth; part of {@link TensorOps}. */
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

    /** Whether false, that is, zero. */
    default T logicalNot() {
        return apply(Ops.LOGICAL_NOT);
    }

    /** Whether NaN. */
    default T isnan() {
        return apply(Ops.ISNAN);
    }

    /** Whether infinite. */
    default T isinf() {
        return apply(Ops.ISINF);
    }

    /** Whether positive infinity. */
    default T isposinf() {
        return apply(Ops.ISPOSINF);
    }

    /** Whether negative infinity. */
    default T isneginf() {
        return apply(Ops.ISNEGINF);
    }

    /** Whether neither NaN nor infinite. */
    default T isfinite() {
        return apply(Ops.ISFINITE);
    }

    /** Whether the sign bit is set, of -0.0 too. */
    default T signbit() {
        return apply(Ops.SIGNBIT);
    }

    /** The step: 0 below zero and of NaN, 1 above, and values at zero. */
    default T heaviside(T other) {
        return apply(Ops.HEAVISIDE, other);
    }

    /** The step: 0 below zero and of NaN, 1 above, and values at zero. */
    default T heaviside(Tensor other) {
        return apply(Ops.HEAVISIDE, other);
    }

    /** The step: 0 below zero and of NaN, 1 above, and values at zero. */
    default T heaviside(Number other) {
        return apply(Ops.HEAVISIDE, other);
    }

    /**
     * As {@link #isclose(TensorOps, double, double, NanEquality)} with rtol 1e-5 and atol 1e-8, and NaN different from
     * NaN.
     */
    default T isclose(T other) {
        return isclose(other, 1e-5, 1e-8, NanEquality.DIFFERENT);
    }

    /** As {@link #isclose(TensorOps)}. */
    default T isclose(Tensor other) {
        return isclose(other, 1e-5, 1e-8, NanEquality.DIFFERENT);
    }

    /** Whether |this - other| is at most atol + rtol * |other|, or both are equal; of one dtype, as in PyTorch. */
    default T isclose(T other, double rtol, double atol, NanEquality nans) {
        return withExpr(Compositions.isclose(expr(), other.expr(), rtol, atol, nans));
    }

    /** As {@link #isclose(TensorOps, double, double, NanEquality)}. */
    default T isclose(Tensor other, double rtol, double atol, NanEquality nans) {
        return withExpr(Compositions.isclose(expr(), Input.of(other), rtol, atol, nans));
    }
}
