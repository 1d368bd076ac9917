package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
import java.util.Optional;

/**
 * Integers that the driver has, of which none is less than the one before: labels of groups that follow each other, or indices of what is named in its order.
 *
 * @param tensor that has them
 * @param values from 0 on
 */
record Ascending(KnownTensor tensor, long[] values) {
    private static final int FEW = 8;

    /** What an expression has in its order, seen as something else of as many elements; empty where nobody knows or they do not ascend. */
    static Optional<Ascending> of(Expr integers, long count) {
        Expr below = integers;
        while (below instanceof Cast cast && isWider(cast)
                || below instanceof Rearrange rearrange && keepsOrder(rearrange.viewOp())) {
            below = below.children().get(0);
        }
        boolean isKnown = below instanceof Input input
                && input.source() instanceof KnownTensor
                && input.shape().numel() == count
                && !input.dtype().isFloatingPoint()
                && input.dtype() != DType.BOOL;
        if (!isKnown) {
            return Optional.empty();
        }
        KnownTensor tensor = (KnownTensor) ((Input) below).source();
        long[] values = tensor.unchanged().contiguous().toLongArray();
        long before = 0;
        for (long value : values) {
            if (value < before) {
                return Optional.empty();
            }
            before = value;
        }
        return Optional.of(new Ascending(tensor, values));
    }

    /** Whether integers stay what they are. */
    private static boolean isWider(Cast cast) {
        DType from = cast.children().get(0).dtype();
        return cast.dtype().kind() == DType.Kind.INTEGER && cast.dtype().bytes() > from.bytes();
    }

    private static boolean keepsOrder(ViewOp viewOp) {
        return viewOp instanceof ViewOp.Reshape
                || viewOp instanceof ViewOp.Unsqueeze
                || viewOp instanceof ViewOp.Squeeze;
    }

    /** The greatest; -1 where there are none. */
    long last() {
        return values.length == 0 ? -1 : values[values.length - 1];
    }

    /** Whether some that follow each other leave out hardly more numbers between them than they are. */
    boolean leaveOutFew() {
        long least = 0;
        for (int i = 0; i < values.length; i++) {
            long excess = values[i] - 2L * i;
            least = i == 0 ? excess : Math.min(least, excess);
            if (excess - least > FEW) {
                return false;
            }
        }
        return true;
    }
}
