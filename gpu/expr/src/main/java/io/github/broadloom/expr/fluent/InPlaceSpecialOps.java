package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Special functions that write over this handle, as {@link SpecialOps} without the underscore; part of {@link
 * InPlaceOps}.
 */
public interface InPlaceSpecialOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Takes the error function. */
    default T erf_() {
        return apply_(Ops.ERF);
    }

    /** Takes one minus the error function. */
    default T erfc_() {
        return apply_(Ops.ERFC);
    }

    /** Takes the logarithm of the magnitude of the gamma function. */
    default T lgamma_() {
        return apply_(Ops.LGAMMA);
    }

    /** Takes sin(pi x) / (pi x), and 1 at zero. */
    default T sinc_() {
        return apply_(Ops.SINC);
    }

    /** Takes log(x / (1 - x)). */
    default T logit_() {
        return apply_(Ops.LOGIT);
    }

    /** Takes log(x / (1 - x)) of the value held between eps and 1 - eps. */
    default T logit_(double eps) {
        Expr self = expr();
        return overwrite(InPlaceRules.result(writtenLayout(), self, Compositions.logit(self, eps)));
    }

    /** Multiplies by the logarithm of the other; 0 stays 0, but where the other is NaN. */
    default T xlogy_(T other) {
        return apply_(Ops.XLOGY, other);
    }

    /** Multiplies by the logarithm of the other; 0 stays 0, but where the other is NaN. */
    default T xlogy_(Tensor other) {
        return apply_(Ops.XLOGY, other);
    }

    /** Multiplies by the logarithm of the other; 0 stays 0, but where the other is NaN. */
    default T xlogy_(Number other) {
        return apply_(Ops.XLOGY, other);
    }
}
