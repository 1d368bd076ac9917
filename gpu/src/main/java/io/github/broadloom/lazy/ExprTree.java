package io.github.broadloom.lazy;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Prints an expression as an indented tree, a line per node with its dtype and shape; shared nodes once, and what is deep not at all. */
final class ExprTree {
    /** The indent grows with the depth, so that the text of a long chain would grow with its square. */
    private static final int DEEPEST = 100;

    private record Entry(Expr node, int depth) {}

    private ExprTree() {}

    static String print(Expr root) {
        Map<Expr, Integer> numbers = new IdentityHashMap<>();
        Map<Expr, Integer> uses = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            node.children().forEach(child -> uses.merge(child, 1, Integer::sum));
        }
        StringBuilder out = new StringBuilder();
        Deque<Entry> stack = new ArrayDeque<>();
        stack.push(new Entry(root, 0));
        while (!stack.isEmpty()) {
            Entry entry = stack.pop();
            out.append("  ".repeat(entry.depth()));
            if (entry.depth() == DEEPEST) {
                out.append("…\n");
                continue;
            }
            Integer seen = numbers.get(entry.node());
            if (seen != null) {
                out.append('#').append(seen).append('\n');
                continue;
            }
            out.append(label(entry.node()));
            boolean shared = uses.getOrDefault(entry.node(), 0) > 1 && !(entry.node() instanceof Literal);
            if (shared) {
                numbers.put(entry.node(), numbers.size() + 1);
                out.append(" #").append(numbers.size());
            }
            out.append('\n');
            List<Expr> children = entry.node().children();
            for (int i = children.size() - 1; i >= 0; i--) {
                stack.push(new Entry(children.get(i), entry.depth() + 1));
            }
        }
        return out.toString();
    }

    private static String label(Expr node) {
        if (node instanceof Literal literal) {
            return literal.value().toString();
        }
        String type = " " + node.dtype() + node.shape();
        if (node instanceof Apply apply) {
            return apply.op().name() + type;
        }
        if (node instanceof Reduce reduce) {
            return reduce.reduction() + " over " + Arrays.toString(reduce.dims()) + type;
        }
        if (node instanceof Along along) {
            return along.op() + " along " + Arrays.toString(along.dims()) + type;
        }
        if (node instanceof Cast) {
            return "cast" + type;
        }
        if (node instanceof Rearrange rearrange) {
            return rearrange.move() + type;
        }
        if (node instanceof Concat concat) {
            return "cat along " + concat.dim() + type;
        }
        if (node instanceof Contraction contraction) {
            return "contract over " + Arrays.toString(contraction.dims()) + type;
        }
        return (node instanceof Input ? "input" : node.toString()) + type;
    }
}
