package io.github.broadloom.expr;

/** Functions of one argument that write over this handle, as {@link MathOps} without the underscore; part of {@link InPlaceOps}. */
public interface InPlaceMathOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Changes the sign; bools are refused. */
    default T neg_() {
        return apply_(Ops.NEG);
    }

    /** Takes the magnitude. */
    default T abs_() {
        return apply_(Ops.ABS);
    }

    /** Leaves -1, 0 or 1. */
    default T sign_() {
        return apply_(Ops.SIGN);
    }

    /** Multiplies by itself. */
    default T square_() {
        return apply_(Ops.SQUARE);
    }

    /** Replaces what is below zero by zero. */
    default T relu_() {
        return apply_(Ops.RELU);
    }

    /** Rounds down. */
    default T floor_() {
        return apply_(Ops.FLOOR);
    }

    /** Rounds up. */
    default T ceil_() {
        return apply_(Ops.CEIL);
    }

    /** Rounds to the nearest integer, halves to even. */
    default T round_() {
        return apply_(Ops.ROUND);
    }

    /** Drops the fraction. */
    default T trunc_() {
        return apply_(Ops.TRUNC);
    }

    /** Keeps the fraction, with its sign. */
    default T frac_() {
        return apply_(Ops.FRAC);
    }

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

    /** Takes the logistic function. */
    default T sigmoid_() {
        return apply_(Ops.SIGMOID);
    }

    /** Takes the error function. */
    default T erf_() {
        return apply_(Ops.ERF);
    }
}
