package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.tensor.Tensor;

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
public interface InPlaceOps<T extends TensorOps<T>>
        extends InPlaceArithmeticOps<T>,
                InPlaceValueOps<T>,
                InPlaceComparisonOps<T>,
                InPlaceBitOps<T>,
                InPlaceMathOps<T>,
                InPlaceSpecialOps<T>,
                InPlaceActivationOps<T> {
    /** Takes the elements of another, cast and broadcast. */
    default T copy_(T source) {
        return overwrite(InPlaceRules.copy(writtenLayout(), dtype(), Arguments.of(expr(), source)[0]));
    }

    /** Takes the elements of another, cast and broadcast. */
    default T copy_(Tensor source) {
        return overwrite(InPlaceRules.copy(writtenLayout(), dtype(), Arguments.of(expr(), source)[0]));
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
