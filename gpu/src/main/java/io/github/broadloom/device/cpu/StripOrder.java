package io.github.broadloom.device.cpu;

import io.github.broadloom.device.InnerReductions;
import io.github.broadloom.expr.Expr;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which reductions of an evaluation go over their operand in strips, and what is computed whole then. */
final class StripOrder {
    private final Leaves leaves;
    private final Map<Expr, Strips> byOperand = new IdentityHashMap<>();

    StripOrder(Leaves leaves) {
        this.leaves = leaves;
    }

    /** The strips of an operand; null where it is taken whole. */
    @Nullable Strips of(Expr operand) {
        return byOperand.get(operand);
    }

    /** The nodes of an expression, each after those that it takes, but for those that are computed in strips. */
    List<Expr> before(Expr root) {
        List<Expr> order = root.postOrder();
        Map<Expr, InnerReductions> inStrips = InnerReductions.inStrips(order, leaves::has);
        inStrips.forEach((operand, inner) -> byOperand.put(operand, new Strips(operand, leaves, inner)));
        return InnerReductions.whole(root, order, inStrips, leaves::has);
    }
}
