package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;

/** What users give to an operation, as expressions. */
final class Arguments {
    private Arguments() {}

    /** A handle, a {@link Tensor}, a Number or a Boolean. */
    static Expr of(Object operand) {
        if (operand instanceof OpsBase<?> handle) {
            return handle.expr();
        }
        return operand instanceof Tensor tensor ? Input.of(tensor) : Expr.literal(operand);
    }

    /** The others; {@code first} goes before them where the warning of {@link BroadcastWarning} may be due. */
    static Expr[] of(Expr first, Object... others) {
        Expr[] args = new Expr[others.length];
        for (int i = 0; i < args.length; i++) {
            args[i] = of(others[i]);
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
