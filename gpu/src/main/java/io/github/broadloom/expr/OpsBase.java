package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;

/** What every handle on an expression has; the rest of {@link TensorOps} stands on it. */
public interface OpsBase<T extends TensorOps<T>> {
    /** The expression that this handle stands for. */
    Expr expr();

    /** A handle of the same kind on another expression; its inputs are those of this handle and of its operands. */
    T withExpr(Expr expr);

    /** The dtype of the result. */
    default DType dtype() {
        return expr().dtype();
    }

    /** The shape of the result. */
    default Shape shape() {
        return expr().shape();
    }

    /**
     * Any operation of the table, with this as first argument. An operand is a handle, a {@link Tensor}, a Number or a
     * Boolean.
     *
     * @throws IllegalArgumentException with PyTorch's text, for shapes that do not broadcast and dtypes that the operation
     *     does not take
     */
    default T apply(Op op, Object... others) {
        Expr[] args = new Expr[others.length + 1];
        args[0] = expr();
        for (int i = 0; i < others.length; i++) {
            args[i + 1] = operand(others[i]);
        }
        return withExpr(Expr.apply(op, args));
    }

    private static Expr operand(Object operand) {
        if (operand instanceof OpsBase<?> handle) {
            return handle.expr();
        }
        return operand instanceof Tensor tensor ? Input.of(tensor) : Expr.literal(operand);
    }
}
