package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.TensorLike;

/**
 * The operations of {@link TensorOps} that write over their first operand, as PyTorch's {@code add_} and its family. The
 * other operands broadcast to the shape of this, which stays; the result is cast to its dtype, which stays too, unless
 * its category is higher. What PyTorch refuses is refused in its words and order of checking, before anything is written.
 * Every method returns this handle.
 *
 * <p>A handle on a local tensor writes at once, through any view, and every view of the storage sees it; operands that
 * share memory act as if they had been copied first. Any other handle, and every distributed one, is made to stand for
 * the result: expressions that were built from it before keep the old value.
 *
 * @param <T> the handle itself
 */
public interface InPlaceOps<T extends TensorOps<T>> extends InPlacePointwiseOps<T> {
    /**
     * Adds alpha times the other; bools, or.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T add_(TensorLike other, Number alpha) {
        return applyScaled_(Ops.ADD, other, alpha);
    }

    /**
     * Subtracts alpha times the other; bools are refused.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T sub_(TensorLike other, Number alpha) {
        return applyScaled_(Ops.SUB, other, alpha);
    }

    /** Divides and rounds. */
    default T div_(TensorLike other, Rounding rounding) {
        return apply_(rounding.division(), other);
    }

    /** Divides and rounds. */
    default T div_(Number other, Rounding rounding) {
        return apply_(rounding.division(), other);
    }

    /** Turns degrees into radians. */
    default T deg2rad_() {
        return apply_(Ops.MUL, Compositions.RADIANS_PER_DEGREE);
    }

    /** Turns radians into degrees. */
    default T rad2deg_() {
        return apply_(Ops.MUL, Compositions.DEGREES_PER_RADIAN);
    }

    /** Takes log(x / (1 - x)) of the value held between eps and 1 - eps. */
    default T logit_(double eps) {
        Expr self = expr();
        return overwrite(InPlaceRules.result(writtenLayout(), self, Compositions.logit(self, eps)));
    }

    /** Takes the elements of another, cast and broadcast. */
    default T copy_(TensorLike source) {
        return overwrite(InPlaceRules.copy(writtenLayout(), dtype(), Arguments.checked(this, expr(), source)[0]));
    }

    /**
     * Writes a value to the places that a subscript names: PyTorch's {@code x[items] = value}. Of several that come to one place the last one stays.
     *
     * @param value a Number, a Boolean, or a tensor of the same dtype that broadcasts to what {@link IndexOps#pick} takes
     * @param items as of {@link IndexOps#pick}
     * @throws IllegalArgumentException with PyTorch's text, where dtype or shape does not fit
     * @throws IndexOutOfBoundsException as {@link IndexOps#pick}
     */
    default T indexPut_(Object value, Object... items) {
        Expr self = expr();
        return overwrite(InPlaceRules.result(
                writtenLayout(), self, withExpr(self).at(items).set(value).expr()));
    }

    /**
     * Takes one value everywhere. One past the range of a reduced floating dtype becomes infinite, as in PyTorch.
     *
     * @throws IllegalArgumentException where any other dtype cannot hold it
     */
    default T fill_(Number value) {
        if (!dtype().isReducedFloatingPoint()) {
            Fitting.check(dtype(), value);
        }
        return overwrite(Expr.cast(Expr.literal(value), dtype()));
    }

    /** Takes one value everywhere. */
    default T fill_(boolean value) {
        return overwrite(Expr.cast(Expr.literal(value), dtype()));
    }

    /** Takes zero everywhere. */
    default T zero_() {
        return fill_(0);
    }
}
