package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Functions of floating numbers: bools and integers become float32; part of {@link TensorOps}. */
public interface MathOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The square root; NaN below zero. */
    default T sqrt() {
        return apply(Ops.SQRT);
    }

    /** One over the square root. */
    default T rsqrt() {
        return apply(Ops.RSQRT);
    }

    /** One over the value. */
    default T reciprocal() {
        return apply(Ops.RECIPROCAL);
    }

    /** e to the power of the value. */
    default T exp() {
        return apply(Ops.EXP);
    }

    /** 2 to the power of the value. */
    default T exp2() {
        return apply(Ops.EXP2);
    }

    /** e to the power of the value, minus one, exact near zero. */
    default T expm1() {
        return apply(Ops.EXPM1);
    }

    /** The natural logarithm; -inf at zero, NaN below. */
    default T log() {
        return apply(Ops.LOG);
    }

    /** The logarithm to base 2. */
    default T log2() {
        return apply(Ops.LOG2);
    }

    /** The logarithm to base 10. */
    default T log10() {
        return apply(Ops.LOG10);
    }

    /** The natural logarithm of one plus the value, exact near zero. */
    default T log1p() {
        return apply(Ops.LOG1P);
    }

    /** The sine of an angle in radians. */
    default T sin() {
        return apply(Ops.SIN);
    }

    /** The cosine of an angle in radians. */
    default T cos() {
        return apply(Ops.COS);
    }

    /** The tangent of an angle in radians. */
    default T tan() {
        return apply(Ops.TAN);
    }

    /** The arc sine in radians; NaN outside [-1, 1]. */
    default T asin() {
        return apply(Ops.ASIN);
    }

    /** The arc cosine in radians; NaN outside [-1, 1]. */
    default T acos() {
        return apply(Ops.ACOS);
    }

    /** The arc tangent in radians. */
    default T atan() {
        return apply(Ops.ATAN);
    }

    /** The hyperbolic sine. */
    default T sinh() {
        return apply(Ops.SINH);
    }

    /** The hyperbolic cosine. */
    default T cosh() {
        return apply(Ops.COSH);
    }

    /** The hyperbolic tangent. */
    default T tanh() {
        return apply(Ops.TANH);
    }

    /** The inverse hyperbolic sine. */
    default T asinh() {
        return apply(Ops.ASINH);
    }

    /** The inverse hyperbolic cosine; NaN below 1. */
    default T acosh() {
        return apply(Ops.ACOSH);
    }

    /** The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside. */
    default T atanh() {
        return apply(Ops.ATANH);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(T other) {
        return apply(Ops.HYPOT, other);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(Tensor other) {
        return apply(Ops.HYPOT, other);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(Number other) {
        return apply(Ops.HYPOT, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(T other) {
        return apply(Ops.ATAN2, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(Tensor other) {
        return apply(Ops.ATAN2, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(Number other) {
        return apply(Ops.ATAN2, other);
    }

    /** Degrees as radians. */
    default T deg2rad() {
        return withExpr(Compositions.deg2rad(expr()));
    }

    /** Radians as degrees. */
    default T rad2deg() {
        return withExpr(Compositions.rad2deg(expr()));
    }
}
