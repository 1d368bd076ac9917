package io.github.broadloom.device.passes;

import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;

/** Which rows of its arguments the rows of a node are computed from. */
public final class Rows {
    private Rows() {}

    /** Whether a row of a node needs the same row of the arguments that {@linkplain #follow} it, and no other. */
    public static boolean areApart(Expr node) {
        return Plan.isPointwise(node)
                || node instanceof Reduce reduce && !RowFold.foldsRows(reduce)
                || node instanceof Along along && !along.crossesRows();
    }

    /** Whether the rows of an argument go with those of a node whose rows are apart; else each needs all of it. */
    public static boolean follow(Expr argument, Expr node) {
        boolean isLinedUp = !Plan.isPointwise(node)
                || argument.shape().rank() == node.shape().rank();
        return isLinedUp
                && argument.shape().rank() > 0
                && argument.shape().size(0) == node.shape().size(0);
    }
}
