package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

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
        throw new IllegalArgumentException("Cannot use an operand: " + operand + " is a "
                + operand.getClass().getSimpleName() + "; give a tensor, a Number or a Boolean");
    }

    /**
     * What the names of a text stand for.
     *
     * @throws IllegalArgumentException as {@link #of(Object)}
     */
    public static Map<String, Expr> named(Map<String, ?> operands) {
        Map<String, Expr> names = new LinkedHashMap<>();
        operands.forEach((name, operand) -> names.put(name, of(operand)));
        return names;
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
