package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensors;
import java.util.Optional;

/**
 * Integers that the driver has: labels of groups, or indices.
 *
 * @param tensor that has them
 */
record KnownIntegers(KnownTensor tensor, long[] values) {
    private static final int FEW = 8;

    /** What an expression has in its order, seen as something else of as many elements; empty where nobody knows. */
    static Optional<KnownIntegers> of(Expr integers, long count) {
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
        return Optional.of(
                new KnownIntegers(tensor, tensor.unchanged().contiguous().toLongArray()));
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

    /** Others beside them, int64, in that order. */
    Input beside(long[] others, Shape shape, String name) {
        return Input.of(tensor.beside(Tensors.of(others).view(shape.toArray()), name), DType.INT64, shape);
    }

    /** Whether each is one of the first {@code size}, from 0 on. */
    boolean areWithin(long size) {
        for (long value : values) {
            if (value < 0 || value >= size) {
                return false;
            }
        }
        return true;
    }

    /** Whether none is less than the one before. */
    boolean ascend() {
        for (int i = 1; i < values.length; i++) {
            if (values[i] < values[i - 1]) {
                return false;
            }
        }
        return true;
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
