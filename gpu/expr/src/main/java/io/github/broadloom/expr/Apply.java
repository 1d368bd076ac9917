package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.DTypeRule;
import io.github.broadloom.expr.ops.NumberRules;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.PythonNumbers;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An operation on broadcast arguments, of which at least one is no literal, and its parameters behind them, which are. */
public final class Apply extends Pointwise {
    private static final long serialVersionUID = 1;

    private final Op op;

    private final DType computeType;

    private Apply(Op op, List<Expr> args, DTypeRule.Typing typing, Shape shape) {
        super(
                typing.result(),
                shape,
                Placement.of(op == Ops.EXPAND_AS ? args.subList(0, 1) : args), // of the model the shape alone counts
                args);
        this.op = op;
        this.computeType = typing.compute();
    }

    static Expr of(Op op, List<Expr> args) {
        return of(op, args, null);
    }

    /** @param former the node that this one stands for, over other arguments, or null */
    private static Expr of(Op op, List<Expr> args, @Nullable Apply former) {
        List<Expr> operands = operands(op, args);
        if (operands.stream().allMatch(arg -> arg instanceof Literal)) {
            return PythonNumbers.apply(
                    op, args.stream().map(Literal.class::cast).toList());
        }
        op.rule().check(args);
        Shape shape =
                Broadcasting.broadcastShapes(operands.stream().map(Expr::shape).toArray(Shape[]::new));
        List<Expr> complete = withDefaults(op, args);
        DTypeRule.Typing typing = op.rule().type(complete);
        if (former != null && former.isCutFrom(complete, typing)) {
            typing = new DTypeRule.Typing(former.computeType, former.dtype());
        }
        op.rule().checkNumbers(op, complete);
        op.template(typing.compute());
        Expr root = op == Ops.POW ? NumberRules.powerFor(complete, typing.result()) : null;
        if (root != null) {
            return root;
        }
        return new Apply(op, NumberRules.roundedArguments(complete, typing), typing, shape);
    }

    /**
     * Whether other arguments may be parts of these, which then are computed as the whole is, even where a part has a
     * single element and the whole has not.
     */
    private boolean isCutFrom(List<Expr> others, DTypeRule.Typing typing) {
        List<Expr> args = children();
        if (typing.result() != dtype() || others.size() != args.size()) {
            return false;
        }
        for (int i = 0; i < args.size(); i++) {
            Expr mine = args.get(i);
            Expr other = others.get(i);
            if (mine.dtype() != other.dtype()
                    || mine.shape().rank() != other.shape().rank()) {
                return false;
            }
        }
        return true;
    }

    /** The arguments without the parameters, which are plain numbers. */
    private static List<Expr> operands(Op op, List<Expr> args) {
        int most = op.arity() + op.parameters().size();
        if (args.size() < op.arity() || args.size() > most) {
            throw new IllegalArgumentException("Cannot apply " + op.name() + ": " + args.size() + " arguments; give "
                    + op.arity() + (most == op.arity() ? "" : " to " + most));
        }
        for (int i = op.arity(); i < args.size(); i++) {
            if (!(args.get(i) instanceof Literal)) {
                throw new IllegalArgumentException("Cannot apply " + op.name() + ": "
                        + op.parameters().get(i - op.arity()).name() + " is a tensor; give a plain number");
            }
        }
        return args.subList(0, op.arity());
    }

    /** The arguments, with every parameter that was left out. */
    public static List<Expr> withDefaults(Op op, List<Expr> args) {
        int most = op.arity() + op.parameters().size();
        if (args.size() == most) {
            return args;
        }
        List<Expr> complete = new ArrayList<>(args);
        for (int i = args.size(); i < most; i++) {
            complete.add(op.defaultOf(i - op.arity(), args.subList(0, op.arity())));
        }
        return List.copyOf(complete);
    }

    public Op op() {
        return op;
    }

    /** The dtype whose template computes this; that of the result where nothing else is said. */
    public DType computeType() {
        return computeType;
    }

    /**
     * The dtype that argument {@code index} is converted to before the template sees it: {@link #computeType()}, but
     * bool for the condition of {@code where}.
     */
    public DType argumentType(int index) {
        return op.rule().argumentType(index, computeType);
    }

    private record Recipe(Op op) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(op, List.copyOf(children));
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(op);
    }

    @Override
    Expr over(List<Expr> others) {
        return of(op, List.copyOf(others), this);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.apply(this);
    }

    @Override
    public String toString() {
        return children().stream().map(arg -> brief(arg)).collect(Collectors.joining(", ", op.name() + "(", ")"));
    }

    private static String brief(Expr arg) {
        return arg instanceof Apply apply ? apply.op().name() + "(…)" : arg.toString();
    }
}
