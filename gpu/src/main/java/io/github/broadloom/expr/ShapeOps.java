package io.github.broadloom.expr;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;

/** Other shapes of the same elements; part of {@link TensorOps}. */
public interface ShapeOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * Dimensions of size one, and new leading ones, repeated to these sizes; -1 keeps a size. It costs nothing,
     * whatever the sizes.
     *
     * @throws IllegalArgumentException with PyTorch's text, where a dimension is not of size one
     */
    default T expand(long... sizes) {
        return withExpr(Expr.expand(expr(), sizes));
    }

    /** Repeated to that shape, as {@link #expand(long...)}. */
    default T expand(Shape target) {
        return expand(target.toArray());
    }

    /** {@link #expand(long...)} under NumPy's name. */
    default T broadcastTo(long... sizes) {
        return expand(sizes);
    }

    /** Repeated to the other's shape, as {@link #expand(long...)}. */
    default T expandAs(T other) {
        return expand(other.shape());
    }

    /** Repeated to the other's shape, as {@link #expand(long...)}. */
    default T expandAs(Tensor other) {
        return expand(other.shape());
    }
}
