package io.github.broadloom.testkit.random;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Seeded expressions over local tensors: graphs of every operation, up to eight deep, with shared nodes, plain numbers,
 * casts and reductions, over operands that broadcast.
 */
public final class RandomExprs {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_RANK = 8;
    private static final long MAX_LARGE = 1 << 18;
    private static final Set<String> DIVISIONS = Set.of("floor_divide", "remainder", "fmod", "div_trunc");

    private final RandomTensors from;
    private final boolean rearranging;
    private final boolean large;
    private final Map<Expr, Integer> depths = new IdentityHashMap<>();

    public RandomExprs(long seed) {
        this(seed, false, false);
    }

    private RandomExprs(long seed, boolean rearranging, boolean large) {
        this.from = new RandomTensors(seed);
        this.rearranging = rearranging;
        this.large = large;
    }

    /**
     * Expressions that rearrange and join, too. Their inputs hide the tensors, of which moves would be views; {@link
     * #reveal} shows them.
     */
    public static RandomExprs rearranging(long seed) {
        return new RandomExprs(seed, true, false);
    }

    /** As {@link #rearranging}, over tensors that are too large to travel with the code of a task. No node has more than {@link #MAX_LARGE} elements. */
    public static RandomExprs large(long seed) {
        return new RandomExprs(seed, true, true);
    }

    /** An expression over local tensors: of odd seeds one that rearranges and joins, too. */
    public static Expr of(long seed) {
        return seed % 2 == 0
                ? new RandomExprs(seed).next()
                : reveal(rearranging(seed).next(), Input::of);
    }

    private record Hidden(Tensor tensor) {}

    /** The expression over what {@code input} makes of its tensors. */
    public static Expr reveal(Expr expr, Function<Tensor, Expr> input) {
        return expr.mapInputs(hidden -> hidden.source() instanceof Hidden h ? input.apply(h.tensor()) : hidden);
    }

    /** A graph that pointwise operations, casts and reductions make. */
    public Expr next() {
        List<Expr> nodes = inputs();
        int wanted = nodes.size() + 1 + from.below(12);
        for (int tries = 0; nodes.size() < wanted && tries < 300; tries++) {
            attempt(nodes).ifPresent(nodes::add);
        }
        return nodes.get(nodes.size() - 1);
    }

    /** Up to four tensors whose shapes broadcast together. */
    public List<Expr> inputs() {
        Shape shape = large ? from.largeShape() : from.shape(from.below(10) == 0 ? MAX_RANK : 4);
        List<Expr> inputs = new ArrayList<>();
        int count = 1 + from.below(4);
        DType common = from.dtype(); // operands of one dtype meet more operations than a mixture does
        for (int i = 0; i < count; i++) {
            DType dtype = from.below(2) == 0 ? common : from.dtype();
            Tensor tensor = from.tensor(dtype, i == 0 ? shape : from.broadcastInto(shape));
            inputs.add(rearranging ? Input.of(new Hidden(tensor), tensor.dtype(), tensor.shape()) : Input.of(tensor));
        }
        inputs.forEach(input -> depths.put(input, 0));
        return inputs;
    }

    /** One more node over some of these, or nothing where PyTorch has no such operation on their dtypes or sizes. */
    private Optional<Expr> attempt(List<Expr> nodes) {
        try {
            Expr grown = propose(nodes).build();
            if (large && grown.shape().numel() > MAX_LARGE) {
                return Optional.empty();
            }
            int depth =
                    1 + grown.children().stream().mapToInt(this::depth).max().orElse(-1);
            depths.put(grown, depth);
            return depth > MAX_DEPTH ? Optional.empty() : Optional.of(grown);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException refused) {
            return Optional.empty();
        }
    }

    private int depth(Expr node) {
        Integer known = depths.get(node);
        return known != null
                ? known
                : node.children().stream().mapToInt(this::depth).max().orElse(-1) + 1;
    }

    /** One operation that may be refused. */
    public record Proposal(List<Expr> args, Function<List<Expr>, Expr> builder, Function<List<String>, String> writer) {
        /** The operation, or what the builder throws. */
        public Expr build() {
            return builder.apply(args);
        }

        /** The operation in the string language, over nodes by these names. */
        public String text(Map<Expr, String> names) {
            return writer.apply(args.stream().map(arg -> Printed.of(arg, names)).toList());
        }
    }

    /** One more operation over some of these nodes, whatever their dtypes and shapes. */
    public Proposal propose(List<Expr> nodes) {
        Expr pick = pick(nodes);
        if (rearranging && from.below(3) == 0) {
            return new RandomViewOps(from).propose(pick, nodes);
        }
        int kind = from.below(12);
        if (kind == 0) {
            DType dtype = from.dtype();
            return unary(pick, x -> Expr.cast(x, dtype), x -> dtype + "(" + x + ")");
        }
        if (kind == 1 && from.below(3) == 0) {
            return line(pick);
        }
        return kind == 1 ? reduction(pick) : operation(pick, nodes);
    }

    /** A function of whole lines along one dimension. */
    private Proposal line(Expr operand) {
        int dim = from.below(Math.max(1, operand.shape().rank()));
        KeepDim keepDim = KeepDim.values()[from.below(2)];
        double q = from.below(5) / 4.0;
        String over = ", dim=" + dim;
        String kept = over + (keepDim.keeps() ? ", keepdim=True)" : ")");
        return switch (from.below(6)) {
            case 4 ->
                unary(
                        operand,
                        x -> Lines.sort(x, Order.DESCENDING, dim).indices(),
                        x -> "sort(" + x + over + ", descending=True, stable=True).indices");
            case 5 ->
                unary(
                        operand,
                        x -> Lines.sort(x, Order.ASCENDING, dim).values(),
                        x -> "sort(" + x + over + ", stable=True).values");
            case 0 -> unary(operand, x -> Lines.cumsum(x, dim), x -> "cumsum(" + x + over + ")");
            case 1 -> unary(operand, x -> Lines.cumprod(x, dim), x -> "cumprod(" + x + over + ")");
            case 2 ->
                unary(
                        operand,
                        x -> Lines.median(LineOp.Kind.MEDIAN, x, keepDim, dim).values(),
                        x -> "median(" + x + kept);
            default ->
                unary(
                        operand,
                        x -> new Lines.Quantile(
                                        LineOp.Kind.QUANTILE, Interpolation.LINEAR, keepDim, OptionalInt.of(dim))
                                .at(x, q),
                        x -> "quantile(" + x + ", " + q + kept);
        };
    }

    private static Proposal unary(Expr operand, UnaryOperator<Expr> builder, UnaryOperator<String> writer) {
        return new Proposal(List.of(operand), args -> builder.apply(args.get(0)), args -> writer.apply(args.get(0)));
    }

    private Proposal reduction(Expr operand) {
        int[] dims = IntStream.range(0, operand.shape().rank())
                .filter(dim -> from.below(2) == 0)
                .toArray();
        Reduction reduction = Reduction.values()[from.below(Reduction.values().length)];
        KeepDim keepDim = KeepDim.values()[from.below(2)];
        return unary(
                operand,
                x -> Expr.reduce(reduction, x, keepDim, dims),
                x -> Printed.reduction(reduction, x, keepDim, dims));
    }

    private Proposal operation(Expr first, List<Expr> nodes) {
        Op op = Op.all().get(from.below(Op.all().size()));
        List<Expr> args = new ArrayList<>();
        args.add(op.name().equals("where") ? Expr.cast(first, DType.BOOL) : first);
        while (args.size() < op.arity()) {
            args.add(from.below(4) == 0 ? Expr.literal(number()) : pick(nodes));
        }
        if (DIVISIONS.contains(op.name())) {
            args.set(1, neverZero(args.get(1)));
        }
        return new Proposal(
                List.copyOf(args), all -> Expr.apply(op, all.toArray(Expr[]::new)), all -> Printed.operation(op, all));
    }

    /** An integer division by zero is an error when a kernel meets it: the last bit keeps integers away from it. */
    private static Expr neverZero(Expr divisor) {
        boolean floating = divisor instanceof Literal literal
                ? literal.value() instanceof Double
                : divisor.dtype().isFloatingPoint();
        return floating ? divisor : Expr.apply(Op.of("bitwise_or"), divisor, Expr.literal(1));
    }

    private Object number() {
        DType[] python = {DType.BOOL, DType.INT8, DType.FLOAT64};
        return from.value(python[from.below(python.length)]);
    }

    /** Any node, more often one of the latest: so graphs grow deep. */
    private Expr pick(List<Expr> nodes) {
        int latest = Math.min(3, nodes.size());
        boolean late = from.below(2) == 0;
        return nodes.get(late ? nodes.size() - 1 - from.below(latest) : from.below(nodes.size()));
    }
}
