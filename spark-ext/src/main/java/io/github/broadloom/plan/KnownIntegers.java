package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Integers that the driver has: labels of groups, or indices.
 *
 * @param tensor that has them
 */
record KnownIntegers(KnownTensor tensor, long[] values) {
    private static final int FEW = 8;

    /** A plan asks for them stage by stage. */
    private static final Map<KnownTensor, long[]> LATELY = Collections.synchronizedMap(new WeakHashMap<>());

    private static final Map<KnownTensor, Spans> PLACES = Collections.synchronizedMap(new WeakHashMap<>());

    /** What an expression has in its order, seen as something else of as many elements; empty where nobody knows. */
    static Optional<KnownIntegers> of(Expr integers, long count) {
        Expr below = integers;
        long least = Long.MIN_VALUE;
        long greatest = Long.MAX_VALUE;
        while (below instanceof Cast cast && isWider(cast)
                || below instanceof Rearrange rearrange && keepsOrder(rearrange.viewOp())
                || isBounded(below)) {
            if (below instanceof Apply) {
                least = Math.max(least, bound(below, 1));
                greatest = Math.min(greatest, bound(below, 2));
            }
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
        Tensor unchanged = tensor.unchanged();
        KnownIntegers known = new KnownIntegers(
                tensor,
                LATELY.computeIfAbsent(tensor, t -> unchanged.contiguous().toLongArray()));
        return known.areBetween(least, greatest) ? Optional.of(known) : Optional.empty();
    }

    /** Whether integers stay what they are where they are between plain numbers. */
    private static boolean isBounded(Expr node) {
        return node instanceof Apply clamp
                && clamp.op() == Ops.CLAMP
                && clamp.children().subList(1, 3).stream()
                        .allMatch(child -> child instanceof Literal literal && literal.value() instanceof Long);
    }

    private static long bound(Expr clamp, int position) {
        return (Long) ((Literal) clamp.children().get(position)).value();
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

    /** Others beside them, int64, in that order, along one dimension of as many as there are. */
    Input beside(long[] others, int rank, int dim, String name) {
        Shape shape = Shape.ones(rank).with(dim, others.length);
        return Input.of(tensor.beside(Tensors.of(others).view(shape.toArray()), name), DType.INT64, shape);
    }

    /** Whether each is one of the first {@code size}, from 0 on. */
    boolean areWithin(long size) {
        return areBetween(0, size - 1);
    }

    private boolean areBetween(long least, long greatest) {
        for (long value : values) {
            if (value < least || value > greatest) {
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

    /** Single indices of a dimension of that size, which these are in their order. */
    Spans places(long size) {
        Spans known = PLACES.computeIfAbsent(tensor, t -> Spans.ofPlaces(values, size));
        return known.size() == size ? known : Spans.ofPlaces(values, size);
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
