package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Layout;

/** What every handle that can be written to has; the rest of {@link InPlaceOps} stands on it. */
public interface InPlaceBase<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * Where a write goes, for PyTorch's refusal of elements that share a place; row-major but for a handle on a tensor.
     */
    default Layout writtenLayout() {
        return Layout.contiguous(shape());
    }

    /**
     * Makes a value that has passed {@link InPlaceRules} this handle's own: through a tensor's storage where the handle
     * is one, else by standing for it from now on.
     *
     * @param value of this dtype; its shape broadcasts to this one
     * @return this handle
     */
    T overwrite(Expr value);

    /**
     * Any operation of the table, written over its first argument, this. An operand is a handle, a {@code Tensor}, a
     * Number or a Boolean.
     *
     * @return this handle
     * @throws IllegalArgumentException with PyTorch's text, in its order of checking; nothing is written then
     */
    default T apply_(Op op, Object... others) {
        Expr self = expr();
        return overwrite(InPlaceRules.apply(op, writtenLayout(), self, Arguments.checked(this, self, others)));
    }

    /**
     * {@link Ops#ADD} or {@link Ops#SUB} of {@code alpha} times the other, written over this.
     *
     * @param alpha a Number or a Boolean; for integers no floating number, and a Boolean only for bools
     * @return this handle
     */
    default T applyScaled_(Op op, Object other, Object alpha) {
        Expr self = expr();
        Expr operand = Arguments.checked(this, self, other)[0];
        return overwrite(InPlaceRules.scaled(op, writtenLayout(), self, operand, alpha));
    }
}
