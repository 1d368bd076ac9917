package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Functions of floating numbers that write over this handle, as {@link MathOps} without the underscore; part of {@link
 * InPlaceOps}.
 */
public interface InPlaceMathOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Takes the square root. */
    default T sqrt_() {
        return apply_(Ops.SQRT);
    }

    /** Takes one over the square root. */
    default T rsqrt_() {
        return apply_(Ops.RSQRT);
    }

    /** Takes one over the value. */
    default T reciprocal_() {
        return apply_(Ops.RECIPROCAL);
    }

    /** Raises e to its power. */
    default T exp_() {
        return apply_(Ops.EXP);
    }

    /** Raises 2 to its power. */
    default T exp2_() {
        return apply_(Ops.EXP2);
    }

    /** Raises e to its power, minus one. */
    default T expm1_() {
        return apply_(Ops.EXPM1);
    }

    /** Takes the natural logarithm. */
    default T log_() {
        return apply_(Ops.LOG);
    }

    /** Takes the logarithm to base 2. */
    default T log2_() {
        return apply_(Ops.LOG2);
    }

    /** Takes the logarithm to base 10. */
    default T log10_() {
        return apply_(Ops.LOG10);
    }

    /** Takes the natural logarithm of one plus the value. */
    default T log1p_() {
        return apply_(Ops.LOG1P);
    }

    /** Takes the sine of an angle in radians. */
    default T sin_() {
        return apply_(Ops.SIN);
    }

    /** Takes the cosine of an angle in radians. */
    default T cos_() {
        return apply_(Ops.COS);
    }

    /** Takes the tangent of an angle in radians. */
    default T tan_() {
        return apply_(Ops.TAN);
    }

    /** Takes the arc sine in radians. */
    default T asin_() {
        return apply_(Ops.ASIN);
    }

    /** Takes the arc cosine in radians. */
    default T acos_() {
        return apply_(Ops.ACOS);
    }

    /** Takes the arc tangent in radians. */
    default T atan_() {
        return apply_(Ops.ATAN);
    }

    /** Takes the hyperbolic sine. */
    default T sinh_() {
        return apply_(Ops.SINH);
    }

    /** Takes the hyperbolic cosine. */
    default T cosh_() {
        return apply_(Ops.COSH);
    }

    /** Takes the hyperbolic tangent. */
    default T tanh_() {
        return apply_(Ops.TANH);
    }

    /** Takes the inverse hyperbolic sine. */
    default T asinh_() {
        return apply_(Ops.ASINH);
    }

    /** Takes the inverse hyperbolic cosine. */
    default T acosh_() {
        return apply_(Ops.ACOSH);
    }

    /** Takes the inverse hyperbolic tangent. */
    default T atanh_() {
        return apply_(Ops.ATANH);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(T other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(Tensor other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(Number other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(T other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(Tensor other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(Number other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Turns degrees into radians. */
    default T deg2rad_() {
        return apply_(Ops.MUL, Compositions.RADIANS_PER_DEGREE);
    }

    /** Turns radians into degrees. */
    default T rad2deg_() {
        return apply_(Ops.MUL, Compositions.DEGREES_PER_RADIAN);
    }
}
