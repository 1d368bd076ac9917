package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion.Term;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.TensorLike;

/** What every handle on an expression has; the rest of {@link TensorOps} stands on it. */
public interface OpsBase<T extends TensorOps<T>> extends PointwiseBase<T>, TensorLike {
    /** The expression that this handle stands for. */
    Expr expr();

    /** A handle of the same kind on another expression; its inputs are those of this handle and of its operands. */
    T withExpr(Expr expr);

    /**
     * The expression of an operand: a handle, a {@code Tensor}, a Number or a Boolean.
     *
     * @throws IllegalArgumentException for anything else, and for a handle that does not go into an expression of this kind
     */
    default Expr operand(Object other) {
        return Arguments.of(other);
    }

    /** The dtype of the result. */
    @Override
    default DType dtype() {
        return expr().dtype();
    }

    @Override
    default Term term() {
        return expr().term();
    }

    /** The shape of the result. */
    default Shape shape() {
        return expr().shape();
    }

    @Override
    default T apply(Op op, Object... others) {
        Expr self = expr();
        return withExpr(Expr.apply(op, Arguments.prepend(self, Arguments.checked(this, self, others))));
    }
}
