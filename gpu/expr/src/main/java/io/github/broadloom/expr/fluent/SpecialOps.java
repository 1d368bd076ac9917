package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Special functions, and logarithms that do not overflow on the way; part of {@link TensorOps}. */
public interface SpecialOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The error function. */
    default T erf() {
        return apply(Ops.ERF);
    }

    /** One minus the error function, exact where that is near one. */
    default T erfc() {
        return apply(Ops.ERFC);
    }

    /** The logarithm of the magnitude of the gamma function. */
    default T lgamma() {
        return apply(Ops.LGAMMA);
    }

    /** sin(pi x) / (pi x), and 1 at zero. */
    default T sinc() {
        return apply(Ops.SINC);
    }

    /** log(x / (1 - x)), the inverse of the logistic function; NaN outside [0, 1]. */
    default T logit() {
        return apply(Ops.LOGIT);
    }

    /** The first times the logarithm of the second; 0 where the first is 0, NaN where the second is NaN. */
    default T xlogy(T other) {
        return apply(Ops.XLOGY, other);
    }

    /** The first times the logarithm of the second; 0 where the first is 0, NaN where the second is NaN. */
    default T xlogy(Tensor other) {
        return apply(Ops.XLOGY, other);
    }

    /** The first times the logarithm of the second; 0 where the first is 0, NaN where the second is NaN. */
    default T xlogy(Number other) {
        return apply(Ops.XLOGY, other);
    }

    /** The logarithm of the sum of two powers of e, without overflow on the way. */
    default T logaddexp(T other) {
        return apply(Ops.LOGADDEXP, other);
    }

    /** The logarithm of the sum of two powers of e, without overflow on the way. */
    default T logaddexp(Tensor other) {
        return apply(Ops.LOGADDEXP, other);
    }

    /** The logarithm of the sum of two powers of e, without overflow on the way. */
    default T logaddexp(Number other) {
        return apply(Ops.LOGADDEXP, other);
    }

    /** The logarithm to base 2 of the sum of two powers of 2, without overflow on the way. */
    default T logaddexp2(T other) {
        return apply(Ops.LOGADDEXP2, other);
    }

    /** The logarithm to base 2 of the sum of two powers of 2, without overflow on the way. */
    default T logaddexp2(Tensor other) {
        return apply(Ops.LOGADDEXP2, other);
    }

    /** The logarithm to base 2 of the sum of two powers of 2, without overflow on the way. */
    default T logaddexp2(Number other) {
        return apply(Ops.LOGADDEXP2, other);
    }

    /** log(x / (1 - x)) of the value held between eps and 1 - eps. */
    default T logit(double eps) {
        return withExpr(Compositions.logit(expr(), eps));
    }
}
