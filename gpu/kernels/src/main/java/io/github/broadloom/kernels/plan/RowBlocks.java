package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operand of which a block of rows at a time is computed and reduced, because of the reductions inside it: of {@code amin(sum((a - b) ** 2, -1), 1)} the
 * sums. Their results are needed row by row only. No bit depends on the blocks, as rows never meet in them.
 */
public final class RowBlocks {
    /** What inner reductions leave of a block stays in a processor's caches. */
    private static final long BLOCK_BYTES = 4 << 20;

    /** Larger expressions are computed whole: going through them takes recursion. */
    private static final int MOST_NODES = 1000;

    private final Expr operand;
    private final long rows;
    private final Predicate<Expr> isThere;
    private final List<Expr> apart = new ArrayList<>();
    private final Map<Expr, Boolean> seen = new IdentityHashMap<>();
    private long bytes;

    private RowBlocks(Expr operand, Predicate<Expr> isThere) {
        this.operand = operand;
        this.rows = operand.shape().size(0);
        this.isThere = isThere;
    }

    /**
     * What reductions take in blocks: operands whose inner reductions would leave much, and whose rows can be computed by themselves.
     *
     * @param order the nodes of an expression
     * @param isThere whether the value of a node need not be computed any more
     */
    static Map<Expr, RowBlocks> of(List<Expr> order, Predicate<Expr> isThere) {
        Map<Expr, Boolean> operands = new IdentityHashMap<>(); // and whether their rows are folded
        Set<Expr> mixed = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : order) {
            if (node instanceof Reduce reduce && !isThere.test(reduce) && !isThere.test(reduce.operand())) {
                boolean folds = reduce.foldsRows();
                if (operands.getOrDefault(reduce.operand(), folds) != folds) {
                    mixed.add(reduce.operand());
                }
                operands.put(reduce.operand(), folds);
            }
        }
        Map<Expr, RowBlocks> blocks = new IdentityHashMap<>();
        if (operands.size() > 1) {
            for (Expr operand : operands.keySet()) {
                RowBlocks inner = mixed.contains(operand) ? null : of(operand, isThere);
                if (inner != null && inner.bytes > BLOCK_BYTES) {
                    blocks.put(operand, inner);
                }
            }
        }
        return blocks;
    }

    /** The nodes of {@code order} but those that are computed in blocks alone. */
    static List<Expr> whole(Expr root, List<Expr> order, Map<Expr, RowBlocks> blocks, Predicate<Expr> isThere) {
        if (blocks.isEmpty()) {
            return order;
        }
        Set<Expr> needed = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Expr> stack = new ArrayDeque<>(List.of(root));
        while (!stack.isEmpty()) {
            Expr node = stack.pop();
            if (needed.add(node) && !isThere.test(node)) {
                RowBlocks inner = node instanceof Reduce reduce ? blocks.get(reduce.operand()) : null;
                stack.addAll(inner == null ? node.children() : inner.apart);
            }
        }
        return order.stream().filter(needed::contains).toList();
    }

    private static @Nullable RowBlocks of(Expr operand, Predicate<Expr> isThere) {
        int size = operand.postOrder().size();
        if (size > MOST_NODES || operand.shape().rank() == 0 || operand.shape().size(0) < 2) {
            return null;
        }
        RowBlocks inner = new RowBlocks(operand, isThere);
        return inner.survey(operand) ? inner : null;
    }

    /** Adds up what a node and those below it leave; false where its rows depend on each other. */
    private boolean survey(Expr node) {
        if (seen.putIfAbsent(node, true) != null || isThere.test(node)) {
            return true;
        }
        if (!node.hasIndependentRows() || node instanceof Along) {
            return false;
        }
        if (node instanceof Reduce) {
            bytes += node.dtype().sizeBytes(node.shape().numel());
        }
        for (Expr child : node.children()) {
            if (!node.goesWithRowsOf(child)) {
                apart.add(child);
            } else if (!survey(child)) {
                return false;
            }
        }
        return true;
    }

    public long rows() {
        return rows;
    }

    /** How many rows a block has, but for the last: a power of two. */
    public long blockRows() {
        return Long.highestOneBit(Math.max(1, BLOCK_BYTES / Math.max(1, bytes / rows)));
    }

    /** What the results take at a time. */
    public long heldBytes() {
        return Math.max(BLOCK_BYTES, bytes / rows);
    }

    /**
     * Some rows of the operand.
     *
     * @param values of the nodes that are there by now; null for others
     */
    public Expr rows(long first, long count, Function<Expr, @Nullable Tensor> values) {
        return rows(first, count, values, UnaryOperator.identity());
    }

    /**
     * Some rows of the operand for a dry run: every tensor that it reads is one of {@code values}, because those of this JVM do not meet those of a dry run.
     *
     * @param values of the nodes that are there by now; null for others
     */
    public Expr dryRunRows(long first, long count, Function<Expr, @Nullable Tensor> values) {
        Map<Expr, Expr> done = new IdentityHashMap<>();
        return rows(
                first,
                count,
                values,
                other -> over(other, values, (child, node) -> true, UnaryOperator.identity(), done));
    }

    private Expr rows(long first, long count, Function<Expr, @Nullable Tensor> values, UnaryOperator<Expr> others) {
        Function<Expr, @Nullable Tensor> cut = node -> {
            Tensor value = values.apply(node);
            return value == null ? null : value.narrow(0, first, count);
        };
        return over(operand, cut, (child, node) -> node.goesWithRowsOf(child), others, new IdentityHashMap<>());
    }

    /**
     * A node over values, which are inputs of it.
     *
     * @param goesOn whether a child of a node, given first, is replaced in the same way
     * @param others takes the other children
     */
    private static Expr over(
            Expr node,
            Function<Expr, @Nullable Tensor> values,
            BiPredicate<Expr, Expr> goesOn,
            UnaryOperator<Expr> others,
            Map<Expr, Expr> done) {
        Expr known = done.get(node);
        if (known == null) {
            Tensor value = values.apply(node);
            known = value != null
                    ? Input.of(value)
                    : node.withChildren(node.children().stream()
                            .map(child -> goesOn.test(child, node)
                                    ? over(child, values, goesOn, others, done)
                                    : others.apply(child))
                            .toList());
            done.put(node, known);
        }
        return known;
    }
}
