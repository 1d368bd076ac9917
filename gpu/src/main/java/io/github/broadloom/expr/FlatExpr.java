package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The serialised form of an expression: its nodes in a row, children before parents. Java's own serialisation follows
 * references by recursion, and a chain of some thousand operations would overflow the stack.
 */
final class FlatExpr implements Serializable {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // an ArrayList
    private final List<Row> rows = new ArrayList<>();

    /** A leaf as itself, any other node as what it does to which rows. */
    private record Row(Serializable what, int[] children) implements Serializable {}

    private record Reducing(Reduction reduction, int[] dims, boolean keepDim, double correction)
            implements Serializable {}

    private record OfLines(LineOp op, int[] dims, boolean keepDim) implements Serializable {}

    private record Concatenating(int dim) implements Serializable {}

    private record Contracting(int[] dims) implements Serializable {}

    FlatExpr(Expr root) {
        Map<Expr, Integer> numbers = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            int[] children = new int[node.children().size()];
            for (int i = 0; i < children.length; i++) {
                children[i] = numbers.getOrDefault(node.children().get(i), -1);
            }
            numbers.put(node, rows.size());
            rows.add(new Row(what(node), children));
        }
    }

    private static Serializable what(Expr node) {
        if (node instanceof Apply apply) {
            return apply.op();
        }
        if (node instanceof Cast cast) {
            return cast.dtype();
        }
        if (node instanceof Along along) {
            return new OfLines(along.op(), along.dims(), along.keepDim());
        }
        if (node instanceof Rearrange rearrange) {
            return rearrange.move();
        }
        if (node instanceof Concat concat) {
            return new Concatenating(concat.dim());
        }
        if (node instanceof Contraction contraction) {
            return new Contracting(contraction.dims());
        }
        return node instanceof Reduce reduce
                ? new Reducing(reduce.reduction(), reduce.dims(), reduce.keepDim(), reduce.correction())
                : node;
    }

    private Object readResolve() {
        List<Expr> nodes = new ArrayList<>(rows.size());
        for (Row row : rows) {
            Expr[] children = new Expr[row.children().length];
            for (int i = 0; i < children.length; i++) {
                children[i] = nodes.get(row.children()[i]);
            }
            nodes.add(node(row.what(), children));
        }
        return nodes.get(nodes.size() - 1);
    }

    private static Expr node(Serializable what, Expr[] children) {
        if (what instanceof Op op) {
            return Expr.apply(op, children);
        }
        if (what instanceof DType dtype) {
            return Expr.cast(children[0], dtype);
        }
        if (what instanceof Reducing reducing) {
            return Expr.reduce(
                    reducing.reduction(), children[0], reducing.dims(), reducing.keepDim(), reducing.correction());
        }
        if (what instanceof OfLines lines) {
            return Along.of(lines.op(), children[0], lines.dims(), lines.keepDim());
        }
        if (what instanceof Move move) {
            return Expr.rearrange(children[0], move);
        }
        if (what instanceof Concatenating concatenating) {
            return Expr.concat(List.of(children), concatenating.dim());
        }
        if (what instanceof Contracting contracting) {
            return Expr.contract(children[0], children[1], contracting.dims());
        }
        return (Expr) what;
    }
}
