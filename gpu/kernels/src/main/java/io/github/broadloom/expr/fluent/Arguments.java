package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;

/** What users give to an operation, or for a name of a text, as expressions. */
public final class Arguments {
    private Arguments() {}

    /**
     * The expression of a handle, a {@link Tensor}, a Number or a Boolean.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Expr of(Object operand) {
        if (operand instanceof OpsBase<?> handle) {
            return handle.expr();
        }
        if (operand instanceof Tensor tensor) {
            return Input.of(tensor);
        }
        if (operand instanceof Number || operand instanceof Boolean) {
            return Expr.literal(operand);
        }
        if (operand instanceof NamedTensor<?> named) {
            throw new IllegalArgumentException("Cannot use an operand with names " + named.dims()
                    + " here: name the left one, too, named(...), or give its tensor()");
        }
        throw new IllegalArgumentException("Cannot use an operand: " + operand + " is a "
                + operand.getClass().getSimpleName() + "; give a tensor, a Number or a Boolean");
    }

    /** The operands of a handle; {@code first}, its expression, goes before them where the warning of {@link BroadcastWarning} may be due. */
    static Expr[] checked(OpsBase<?> handle, Expr first, Object... others) {
        Expr[] args = new Expr[others.length];
        for (int i = 0; i < args.length; i++) {
            args[i] = handle.operand(others[i]);
            BroadcastWarning.check(first, args[i]);
        }
        return args;
    }

    static Expr[] prepend(Expr first, Expr... others) {
        Expr[] args = new Expr[others.length + 1];
        args[0] = first;
        System.arraycopy(others, 0, args, 1, others.length);
        return args;
    }
}
