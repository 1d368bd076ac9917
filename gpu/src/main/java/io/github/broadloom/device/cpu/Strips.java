package io.github.broadloom.device.cpu;

import io.github.broadloom.device.InnerReductions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Cuts what is reduced into strips of rows, where the reductions inside it would leave much. */
final class Strips {
    private final Expr operand;
    private final Leaves leaves;
    private final InnerReductions inner;

    /** @param inner of the operand */
    Strips(Expr operand, Leaves leaves, InnerReductions inner) {
        this.operand = operand;
        this.leaves = leaves;
        this.inner = inner;
    }

    /** How many rows a strip has; the last one has what is left. */
    long height() {
        return inner.stripRows();
    }

    /** All rows. */
    long rows() {
        return inner.rows();
    }

    /** Some rows of the operand. */
    Expr strip(long first, long count) {
        return new Cut(first, count).of(operand);
    }

    /** One strip of the nodes. */
    private final class Cut {
        private final long first;
        private final long count;
        private final Map<Expr, Expr> done = new IdentityHashMap<>();

        Cut(long first, long count) {
            this.first = first;
            this.count = count;
        }

        Expr of(Expr node) {
            Expr known = done.get(node);
            if (known == null) {
                known = leaves.has(node) ? Input.of(leaves.of(node).narrow(0, first, count)) : rebuilt(node);
                done.put(node, known);
            }
            return known;
        }

        private Expr rebuilt(Expr node) {
            List<Expr> children = new ArrayList<>();
            for (Expr child : node.children()) {
                children.add(inner.follows(child, node) ? of(child) : child);
            }
            return node.withChildren(children);
        }
    }
}
