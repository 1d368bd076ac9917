package io.github.broadloom.expr;

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

    /** The logistic function 1 / (1 + exp(-x)). */
    default T sigmoid() {
        return apply(Ops.SIGMOID);
    }

    /** The error function. */
    default T erf() {
        return apply(Ops.ERF);
    }
}
