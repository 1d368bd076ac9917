package io.github.broadloom.cuda;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An expression whose rows can be computed by themselves: pointwise operations, reductions of inner dimensions, and functions of lines along them. */
final class RowCut {
    private final Expr root;
    private final Set<Expr> cut;

    private RowCut(Expr root, Set<Expr> cut) {
        this.root = root;
        this.cut = cut;
    }

    /** The cut of an expression; empty where its rows need each other, or there are fewer than two. */
    static Optional<RowCut> of(Expr root) {
        if (root.shape().rank() == 0 || root.shape().size(0) < 2) {
            return Optional.empty();
        }
        Set<Expr> cut = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Expr> whole = Collections.newSetFromMap(new IdentityHashMap<>());
        cut.add(root);
        List<Expr> order = root.postOrder();
        for (int i = order.size() - 1; i >= 0; i--) {
            Expr node = order.get(i);
            boolean isCut = cut.contains(node);
            if (isCut && (whole.contains(node) || !node.hasIndependentRows())) {
                return Optional.empty();
            }
            for (Expr child : node.children()) {
                (isCut && node.goesWithRowsOf(child) ? cut : whole).add(child);
            }
        }
        return Optional.of(new RowCut(root, cut));
    }

    long rows() {
        return root.shape().size(0);
    }

    /** The tensors of which every part needs the same. */
    List<Tensor> shared() {
        return root.inputs().stream()
                .filter(input -> !cut.contains(input) && input.source() instanceof Tensor)
                .map(input -> (Tensor) input.source())
                .toList();
    }

    Expr rows(long first, long end) {
        return rows(first, end, new IdentityHashMap<>());
    }

    /** The expression for some of the rows; adds what it takes of tensors to the parts that were taken before. */
    Expr rows(long first, long end, Map<Tensor, Tensor> parts) {
        return root.mapInputs(input -> cut.contains(input) && input.source() instanceof Tensor tensor
                ? Input.of(parts.computeIfAbsent(tensor, whole -> whole.narrow(0, first, end - first)))
                : input);
    }

    long resultRowBytes() {
        return root.dtype().sizeBytes(root.shape().numel() / rows());
    }

    long rowBytes() {
        return resultRowBytes()
                + root.inputs().stream()
                        .filter(cut::contains)
                        .mapToLong(
                                input -> input.dtype().sizeBytes(input.shape().numel() / rows()))
                        .sum();
    }
}
