package io.github.broadloom.expr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** Walks over expression graphs with a stack of its own, so that a deep graph cannot overflow the thread's. */
public final class Graphs {
    private Graphs() {}

    private record Frame(Expr node, boolean childrenDone) {}

    static List<Expr> postOrder(Expr root) {
        return postOrder(root, Expr::children);
    }

    /** The distinct nodes below a root that are reached through these children, children before parents. */
    public static List<Expr> postOrder(Expr root, Function<Expr, List<Expr>> childrenOf) {
        return postOrder(List.of(root), childrenOf);
    }

    /** The distinct nodes of several graphs, those of the first one first. */
    public static List<Expr> postOrder(List<? extends Expr> roots) {
        return postOrder(roots, Expr::children);
    }

    private static List<Expr> postOrder(List<? extends Expr> roots, Function<Expr, List<Expr>> childrenOf) {
        List<Expr> order = new ArrayList<>();
        Map<Expr, Boolean> seen = new IdentityHashMap<>();
        Deque<Frame> stack = new ArrayDeque<>();
        for (int i = roots.size() - 1; i >= 0; i--) {
            stack.push(new Frame(roots.get(i), false));
        }
        while (!stack.isEmpty()) {
            Frame frame = stack.pop();
            if (frame.childrenDone()) {
                order.add(frame.node());
            } else if (seen.putIfAbsent(frame.node(), true) == null) {
                stack.push(new Frame(frame.node(), true));
                List<Expr> children = childrenOf.apply(frame.node());
                for (int i = children.size() - 1; i >= 0; i--) {
                    if (!seen.containsKey(children.get(i))) {
                        stack.push(new Frame(children.get(i), false));
                    }
                }
            }
        }
        return order;
    }

    /** Rebuilds from the bottom up: {@code rule} makes of each node, and of the same over rewritten children, what stands for it. */
    public static Expr rewrite(Expr root, BinaryOperator<Expr> rule) {
        return rewrite(List.of(root), rule).get(0);
    }

    /** As {@link #rewrite(Expr, BinaryOperator)}, of several graphs: what they share stays shared. */
    public static List<Expr> rewrite(List<? extends Expr> roots, BinaryOperator<Expr> rule) {
        Map<Expr, Expr> rewritten = new IdentityHashMap<>();
        for (Expr node : postOrder(roots)) {
            List<Expr> children = node.children().stream()
                    .map(child -> result(rewritten, child))
                    .toList();
            rewritten.put(node, rule.apply(node, node.withChildren(children)));
        }
        return roots.stream().map(root -> result(rewritten, root)).toList();
    }

    /** Several graphs with other inputs: what they share stays shared. */
    public static List<Expr> mapInputs(List<? extends Expr> roots, Function<Input, ? extends Expr> replacement) {
        return rewrite(roots, (node, over) -> node instanceof Input input ? replacement.apply(input) : over);
    }

    private static Expr result(Map<Expr, Expr> rewritten, Expr node) {
        Expr result = rewritten.get(node);
        if (result == null) {
            throw new IllegalStateException("Cannot rewrite an expression: a node was used before it was made");
        }
        return result;
    }
}
