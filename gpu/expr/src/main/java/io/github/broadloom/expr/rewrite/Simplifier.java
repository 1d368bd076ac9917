package io.github.broadloom.expr.rewrite;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Computed;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.expr.ViewPushdown;
import io.github.broadloom.expr.ops.Op.Trait;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rewrites an expression into one that computes the same bits with less work. Every rule holds for every value of its
 * dtypes, NaN, infinities, zeros of both signs and wrapped integers included (a NaN stays some NaN); each says why.
 * Literals among themselves are folded earlier, by {@link Expr#apply}.
 */
public final class Simplifier implements Expr.Visitor<Expr> {
    private final Map<Object, Expr> made = new HashMap<>();

    /** The sources of inputs, which are compared by identity. */
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    private Simplifier() {}

    /** An expression of the same dtype, shape and bits, in which equal parts are one node. */
    public static Expr simplify(Expr expr) {
        return simplify(List.of(expr)).get(0);
    }

    /** Several expressions, in which equal parts are one node, too. */
    public static List<Expr> simplify(List<? extends Expr> exprs) {
        Simplifier simplifier = new Simplifier();
        return Graphs.rewrite(exprs, (node, over) -> simplifier.shared(over.accept(simplifier)));
    }

    @Override
    public Expr input(Input input) {
        return input;
    }

    @Override
    public Expr literal(Literal literal) {
        return literal;
    }

    @Override
    public Expr reduce(Reduce reduce) {
        return reduce;
    }

    @Override
    public Expr along(Along along) {
        return along;
    }

    @Override
    public Expr contraction(Contraction contraction) {
        return contraction;
    }

    @Override
    public Expr gather(Gather gather) {
        return gather;
    }

    @Override
    public Expr filter(Filter filter) {
        return filter;
    }

    @Override
    public Expr search(Search search) {
        return search;
    }

    @Override
    public Expr grouped(Grouped grouped) {
        return grouped;
    }

    @Override
    public Expr concat(Concat concat) {
        return concat.children().size() == 1 ? concat.children().get(0) : concat;
    }

    /** The node that was made first among equal ones: computing it once gives the bits for all. */
    private Expr shared(Expr node) {
        Expr first = made.putIfAbsent(key(node), node);
        return first == null ? node : first;
    }

    /** Equal for equal values. Children are compared by identity, and shared already; Doubles tell 0.0 from -0.0. */
    private Object key(Expr node) {
        if (node instanceof Input input) {
            return source(input);
        }
        return node instanceof Computed computed
                ? List.of(computed.recipe(), computed.children())
                : ((Literal) node).value();
    }

    /** Of a local tensor its place in memory: views that are made twice are one. */
    private List<Object> source(Input input) {
        return input.source() instanceof Tensor tensor
                ? List.of(number(tensor.storage()), tensor.dtype(), tensor.layout())
                : List.of(number(input.source()), input.dtype(), input.shape());
    }

    private Integer number(Object source) {
        return numbers.computeIfAbsent(source, key -> numbers.size());
    }

    /** View ops are merged where they are made, but for those that say that the result is a copy: {@link ViewPushdown}. */
    @Override
    public Expr rearrange(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        return rearrange.viewOp().isIdentity(operand.shape()) ? operand : rearrange;
    }

    @Override
    public Expr apply(Apply apply) {
        Expr first = apply.children().get(0);
        if (first instanceof Apply inner && inner.op() == apply.op() && inner.dtype() == apply.dtype()) {
            if (apply.op().is(Trait.IDEMPOTENT)) {
                return inner;
            }
            if (apply.op().is(Trait.INVOLUTION) && inner.children().get(0).dtype() == apply.dtype()) {
                return inner.children().get(0);
            }
        }
        if (apply.op() == Ops.WHERE) {
            return rewriteWhere(apply);
        }
        if (apply.op().arity() == 2 && apply.children().get(1) instanceof Literal number) {
            return withNumber(apply, first, number);
        }
        return apply;
    }

    /** A choice between a node and itself is the node. */
    private static Expr rewriteWhere(Apply where) {
        Expr a = where.children().get(1);
        boolean same = a == where.children().get(2) && !(a instanceof Literal);
        return same && a.dtype() == where.dtype() && a.shape().equals(where.shape()) ? a : where;
    }

    private static Expr withNumber(Apply apply, Expr first, Literal number) {
        DType dtype = apply.dtype();
        Object value = number.valueAs(apply.argumentType(1));
        double real = value instanceof Number n ? n.doubleValue() : Double.NaN;
        boolean floating = dtype.isFloatingPoint();
        return switch (apply.op().name()) {
            // x * 1 and x ** 1 are x, in every dtype but bool
            case "mul", "pow" ->
                real == 1 ? Expr.cast(first, dtype) : real == 2 && apply.op() == Ops.POW ? square(first, dtype) : apply;
            // x - 0 is x; -0.0 - 0.0 is -0.0, but -0.0 - -0.0 is 0.0, so the zero must be the positive one
            case "sub" -> real == 0 && 1 / real > 0 ? Expr.cast(first, dtype) : apply;
            // an integer plus 0 is itself; a floating number is not: -0.0 + 0.0 is 0.0
            case "add" -> !floating && real == 0 && dtype != DType.BOOL ? Expr.cast(first, dtype) : apply;
            case "div" -> divide(apply, first, real);
            default -> apply;
        };
    }

    /** The power's own row says that exponent 2 is x * x. */
    private static Expr square(Expr base, DType dtype) {
        return Expr.apply(Ops.SQUARE, Expr.cast(base, dtype));
    }

    /**
     * Division by a power of two is multiplication by its inverse: both round the same real number, once. The inverse must
     * be a normal number of float32, the narrowest type that this is computed in.
     */
    private static Expr divide(Apply apply, Expr dividend, double divisor) {
        if (divisor == 1) {
            return Expr.cast(dividend, apply.dtype());
        }
        int exponent = Math.getExponent(divisor);
        boolean powerOfTwo = Math.abs(divisor) == Math.scalb(1.0, exponent);
        if (!powerOfTwo || exponent < -126 || exponent > 126) {
            return apply;
        }
        return Expr.apply(Ops.MUL, Expr.cast(dividend, apply.dtype()), Expr.literal(1 / divisor));
    }

    /** Two conversions are one where the first loses nothing and the second looks at the value alone. */
    @Override
    public Expr cast(Cast cast) {
        if (!(cast.operand() instanceof Cast inner)) {
            return cast;
        }
        DType from = inner.operand().dtype();
        DType to = cast.dtype();
        boolean numbers = inner.operand() instanceof Literal; // a literal's value is wider than its dtype
        if (numbers || !inner.dtype().holds(from)) {
            return cast;
        }
        boolean oneKind = from.kind() == inner.dtype().kind() && from.kind() == to.kind();
        return to == from || to == DType.BOOL || oneKind ? Expr.cast(inner.operand(), to) : cast;
    }
}
