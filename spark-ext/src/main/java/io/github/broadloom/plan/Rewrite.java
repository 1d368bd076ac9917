package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Rebuilds expressions; what does not change is shared. */
final class Rewrite {
    private Rewrite() {}

    /** The same node over other children: itself where they are its own. */
    static Expr over(Expr node, List<Expr> children) {
        boolean same = true;
        for (int i = 0; i < children.size(); i++) {
            same &= children.get(i) == node.children().get(i);
        }
        return same ? node : node.withChildren(children);
    }

    /** The expression with nodes, matched by identity, replaced by others. */
    static Expr replace(Expr root, Map<Expr, Expr> replacements) {
        Map<Expr, Expr> done = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            Expr replacement = replacements.get(node);
            if (replacement == null) {
                List<Expr> children = new ArrayList<>();
                for (Expr child : node.children()) {
                    children.add(done.getOrDefault(child, child));
                }
                replacement = over(node, children);
            }
            done.put(node, replacement);
        }
        return done.getOrDefault(root, root);
    }

    /** Whether lines of the node's function run through the leading dimension, so that one task needs every row. */
    static boolean crossesRows(Expr node) {
        return node instanceof Along along && along.crossesRows();
    }

    /** Whether the node folds the leading dimension, so that it needs every row. */
    static boolean foldsRows(Expr node) {
        if (!(node instanceof Reduce reduce) || reduce.operand().shape().rank() == 0) {
            return false;
        }
        for (int dim : reduce.dims()) {
            if (dim == 0) {
                return true;
            }
        }
        return false;
    }
}
