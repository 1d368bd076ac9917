package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Pointwise;
import io.github.broadloom.expr.Reduce;

/** Which rows of its arguments the rows of a node are computed from. */
public final class RowDependence {
    private RowDependence() {}

    /** Whether a row of a node needs the same row of the arguments that {@linkplain #follow} it, and no other. */
    public static boolean areApart(Expr node) {
        return node instanceof Pointwise
                || node instanceof Reduce reduce && !reduce.foldsRows()
                || node instanceof Along along && !along.crossesRows();
    }

    /** Whether the rows of an argument go with those of a node whose rows are apart; else each needs all of it. */
    public static boolean follow(Expr argument, Expr node) {
        boolean isLinedUp = !(node instanceof Pointwise)
                || argument.shape().rank() == node.shape().rank();
        return isLinedUp
                && argument.shape().rank() > 0
                && argument.shape().size(0) == node.shape().size(0);
    }
}
