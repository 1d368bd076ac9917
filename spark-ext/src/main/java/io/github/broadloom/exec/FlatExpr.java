package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * An expression over slots as a list, children before parents. Java serialisation recurses over a graph and would
 * overflow the stack on a long one; over this it does not.
 */
final class FlatExpr implements Serializable {
    private static final long serialVersionUID = 1L;

    private final ArrayList<Node> nodes = new ArrayList<>();

    /** A node that refers to its children by their places in the list. */
    private sealed interface Node extends Serializable permits Slot, Number, Operation, Conversion, Fold {}

    private record Slot(int slot, DType dtype, Shape shape) implements Node {}

    @SuppressWarnings("serial") // Boolean, Long or Double
    private record Number(Object value) implements Node {}

    private record Operation(Op op, int[] children) implements Node {}

    private record Conversion(int child, DType dtype) implements Node {}

    private record Fold(Reduction reduction, int child, int[] dims, Keep keep, double correction) implements Node {}

    private enum Keep {
        NONE,
        SIZE_ONE
    }

    private FlatExpr() {}

    /** Flattens an expression whose inputs have slots, that is Integers, as their sources. */
    static FlatExpr of(Expr root) {
        FlatExpr flat = new FlatExpr();
        Map<Expr, Integer> places = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            int[] children = node.children().stream()
                    .mapToInt(child -> places.getOrDefault(child, -1))
                    .toArray();
            places.put(node, flat.nodes.size());
            flat.nodes.add(node(node, children));
        }
        return flat;
    }

    private static Node node(Expr node, int[] children) {
        if (node instanceof Input input) {
            return new Slot((Integer) input.source(), input.dtype(), input.shape());
        }
        if (node instanceof Literal literal) {
            return new Number(literal.value());
        }
        if (node instanceof Apply apply) {
            return new Operation(apply.op(), children);
        }
        if (node instanceof Cast cast) {
            return new Conversion(children[0], cast.dtype());
        }
        Reduce reduce = (Reduce) node;
        Keep keep = reduce.keepDim() ? Keep.SIZE_ONE : Keep.NONE;
        return new Fold(reduce.reduction(), children[0], reduce.dims(), keep, reduce.correction());
    }

    /** The expression again, every slot an input once. */
    Expr toExpr() {
        List<Expr> built = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            built.add(expr(node, built));
        }
        return built.get(built.size() - 1);
    }

    private static Expr expr(Node node, List<Expr> built) {
        if (node instanceof Slot slot) {
            return Input.of(slot.slot, slot.dtype, slot.shape);
        }
        if (node instanceof Number number) {
            return Expr.literal(number.value);
        }
        if (node instanceof Operation operation) {
            Expr[] arguments = new Expr[operation.children.length];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = built.get(operation.children[i]);
            }
            return Expr.apply(operation.op, arguments);
        }
        if (node instanceof Conversion conversion) {
            return Expr.cast(built.get(conversion.child), conversion.dtype);
        }
        Fold fold = (Fold) node;
        boolean keepDim = fold.keep == Keep.SIZE_ONE;
        return Expr.reduce(fold.reduction, built.get(fold.child), fold.dims, keepDim, fold.correction);
    }
}
