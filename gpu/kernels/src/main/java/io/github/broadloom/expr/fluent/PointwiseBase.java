package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Op;

/**
 * What takes the operations of the table; the methods that name their rows stand on it.
 *
 * @param <T> what it becomes
 */
public interface PointwiseBase<T> {
    /**
     * Any operation of the table, with this as first argument. An operand is a handle, a {@code Tensor}, a Number or a
     * Boolean.
     *
     * @throws IllegalArgumentException with PyTorch's text, for shapes that do not broadcast and dtypes that the operation
     *     does not take
     */
    T apply(Op op, Object... others);
}
