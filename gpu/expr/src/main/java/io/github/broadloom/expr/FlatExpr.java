package io.github.broadloom.expr;

import io.github.broadloom.expr.Computed.Recipe;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
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

    FlatExpr(Expr root) {
        Map<Expr, Integer> numbers = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            int[] children = new int[node.children().size()];
            for (int i = 0; i < children.length; i++) {
                children[i] = numbers.getOrDefault(node.children().get(i), -1);
            }
            numbers.put(node, rows.size());
            rows.add(new Row(node instanceof Computed computed ? computed.recipe() : node, children));
        }
    }

    private Object readResolve() {
        List<Expr> nodes = new ArrayList<>(rows.size());
        for (Row row : rows) {
            nodes.add(
                    row.what() instanceof Recipe recipe
                            ? recipe.over(Arrays.stream(row.children())
                                    .mapToObj(nodes::get)
                                    .toList())
                            : (Expr) row.what());
        }
        return nodes.get(nodes.size() - 1);
    }
}
