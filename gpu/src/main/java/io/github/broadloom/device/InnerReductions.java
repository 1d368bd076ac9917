package io.github.broadloom.device;

import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reductions inside of what is reduced: of {@code amin(sum((a - b) ** 2, -1), 1)} the sums. Their results are needed row by row only, so a strip of rows at
 * a time is enough. No bit depends on the strips, as rows never meet in them.
 */
public final class InnerReductions {
    /** What they leave of a strip: it stays in a processor's caches. */
    private static final long STRIP_BYTES = 4 << 20;

    /** Larger expressions are computed whole: going through them takes recursion. */
    private static final int MOST_NODES = 1000;

    private final long rows;
    private final Predicate<Expr> isThere;
    private final List<Expr> apart = new ArrayList<>();
    private final Map<Expr, Boolean> seen = new IdentityHashMap<>();
    private long bytes;

    private InnerReductions(long rows, Predicate<Expr> isThere) {
        this.rows = rows;
        this.isThere = isThere;
    }

    /**
     * What reductions take in strips: operands whose inner reductions would leave much, and whose rows can be computed by themselves.
     *
     * @param order the nodes of an expression
     * @param isThere whether the value of a node need not be computed any more
     */
    public static Map<Expr, InnerReductions> inStrips(List<Expr> order, Predicate<Expr> isThere) {
        Map<Expr, Boolean> operands = new IdentityHashMap<>(); // and whether their rows are folded
        Set<Expr> mixed = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : order) {
            if (node instanceof Reduce reduce && !isThere.test(reduce) && !isThere.test(reduce.operand())) {
                boolean folds = RowFold.foldsRows(reduce);
                if (operands.getOrDefault(reduce.operand(), folds) != folds) {
                    mixed.add(reduce.operand());
                }
                operands.put(reduce.operand(), folds);
            }
        }
        Map<Expr, InnerReductions> inStrips = new IdentityHashMap<>();
        if (operands.size() > 1) {
            for (Expr operand : operands.keySet()) {
                InnerReductions inner = mixed.contains(operand) ? null : of(operand, isThere);
                if (inner != null && inner.bytes > STRIP_BYTES) {
                    inStrips.put(operand, inner);
                }
            }
        }
        return inStrips;
    }

    /** The nodes of {@code order} but those that are computed in strips alone. */
    public static List<Expr> whole(
            Expr root, List<Expr> order, Map<Expr, InnerReductions> inStrips, Predicate<Expr> isThere) {
        if (inStrips.isEmpty()) {
            return order;
        }
        Set<Expr> needed = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Expr> stack = new ArrayDeque<>(List.of(root));
        while (!stack.isEmpty()) {
            Expr node = stack.pop();
            if (needed.add(node) && !isThere.test(node)) {
                InnerReductions inner = node instanceof Reduce reduce ? inStrips.get(reduce.operand()) : null;
                stack.addAll(inner == null ? node.children() : inner.apart);
            }
        }
        return order.stream().filter(needed::contains).toList();
    }

    private static @Nullable InnerReductions of(Expr operand, Predicate<Expr> isThere) {
        int size = operand.postOrder().size();
        if (size > MOST_NODES || operand.shape().rank() == 0 || operand.shape().size(0) < 2) {
            return null;
        }
        InnerReductions inner = new InnerReductions(operand.shape().size(0), isThere);
        return inner.survey(operand) ? inner : null;
    }

    /** Adds up what a node and those below it leave; false where its rows depend on each other. */
    private boolean survey(Expr node) {
        if (seen.putIfAbsent(node, true) != null || isThere.test(node)) {
            return true;
        }
        if (node instanceof Reduce reduce) {
            if (RowFold.foldsRows(reduce)) {
                return false;
            }
            bytes += reduce.dtype().sizeBytes(reduce.shape().numel());
        } else if (!(node instanceof Apply || node instanceof Cast)) {
            return false;
        }
        for (Expr child : node.children()) {
            if (!follows(child, node)) {
                apart.add(child);
            } else if (!survey(child)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the rows of a node's argument are the node's own. */
    public boolean follows(Expr child, Expr node) {
        int rank = node instanceof Reduce ? child.shape().rank() : node.shape().rank();
        return rank > 0 && child.shape().rank() == rank && child.shape().size(0) == rows;
    }

    /** The rows of the operand. */
    public long rows() {
        return rows;
    }

    /** How many rows a strip has: a power of two. */
    public long stripRows() {
        return Long.highestOneBit(Math.max(1, STRIP_BYTES / Math.max(1, bytes / rows)));
    }

    /** What the results take at a time. */
    public long heldBytes() {
        return Math.max(STRIP_BYTES, bytes / rows);
    }
}
