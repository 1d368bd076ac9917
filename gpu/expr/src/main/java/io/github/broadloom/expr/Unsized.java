package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;

/**
 * Stands for a tensor of which the dtype and the number of dimensions are known, and no size: an expression over such tensors tells the dtype and the number
 * of dimensions of its value, before there is one. Its sizes are ones, with which everything broadcasts; where an operation needs others, it is given
 * those that it needs, and what it makes is a tensor without known sizes again ({@link #like}).
 */
public final class Unsized {
    private enum Source {
        UNKNOWN
    }

    private Unsized() {}

    public static Input of(DType dtype, int rank) {
        return Input.of(Source.UNKNOWN, dtype, Shape.ones(rank));
    }

    public static boolean is(Expr x) {
        return x instanceof Input input && input.source() == Source.UNKNOWN;
    }

    /** A tensor as that one, whose sizes are not known; a plain number stays one. */
    public static Expr like(Expr x) {
        return x instanceof Literal ? x : of(x.dtype(), x.shape().rank());
    }

    /** The tensor; where its sizes are not known, one of as many elements as these sizes mean, of which one may be -1. */
    public static Expr ofElements(Expr x, long... sizes) {
        long elements = Arrays.stream(sizes).map(size -> size < 0 ? 1 : size).reduce(1, Math::multiplyExact);
        return ofSize(x, 0, elements);
    }

    /** The tensor; where its sizes are not known, one that has this index, which may be negative, in this dimension. */
    public static Expr reaching(Expr x, int dim, long index) {
        return ofSize(x, dim, Math.max(1, index < 0 ? -index : index + 1));
    }

    /** The tensor; where its sizes are not known, one with this size. A dimension that it does not have is for the operation to refuse. */
    public static Expr ofSize(Expr x, int dim, long size) {
        int rank = x.shape().rank();
        if (!is(x) || dim < -rank || dim >= rank) {
            return x;
        }
        return Input.of(
                Source.UNKNOWN, x.dtype(), Shape.ones(rank).with(x.shape().normalizeDim(dim), size));
    }

    /**
     * The tensor, for an operation of which sizes decide how many dimensions its value has.
     *
     * @throws IllegalArgumentException where they are not known
     */
    public static Expr requireSizes(Expr x, String operation) {
        if (is(x) && x.shape().rank() > 0) {
            throw new IllegalArgumentException("Cannot tell how many dimensions " + operation
                    + " leaves: that depends on sizes, which are not known yet; take an index of each dimension that goes away, as in x[0], or"
                    + " give the shape, as in x.reshape(-1)");
        }
        return x;
    }
}
