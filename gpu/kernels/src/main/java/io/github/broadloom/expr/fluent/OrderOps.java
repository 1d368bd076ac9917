package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ValuesAndIndices;

/**
 * Values along a dimension in order, and where they stood; part of {@link TensorOps}. A NaN counts as the greatest, and of equal values the first comes
 * first, where PyTorch leaves open which. Along the leading dimension of a distributed tensor each task finds the k first of its own rows, and one task takes all rows for
 * what gives all values in order.
 */
public interface OrderOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** All values along a dimension, the smallest first. */
    default ValuesAndIndices<T> sort(int dim) {
        return sort(Order.ASCENDING, dim);
    }

    /**
     * All values along a dimension in order. Equal values keep theirs, as with PyTorch's {@code stable=True}.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default ValuesAndIndices<T> sort(Order order, int dim) {
        return Lines.sort(expr(), order, dim).map(this::withExpr);
    }

    /** Where the values stand that {@link #sort(int)} puts in order. */
    default T argsort(int dim) {
        return argsort(Order.ASCENDING, dim);
    }

    /** Where the values stand that {@link #sort(Order, int)} puts in order. */
    default T argsort(Order order, int dim) {
        return sort(order, dim).indices();
    }

    /** The {@code k} greatest values along the last dimension, the greatest first. */
    default ValuesAndIndices<T> topk(long k) {
        return topk(k, -1);
    }

    /** The {@code k} greatest values along a dimension, the greatest first. */
    default ValuesAndIndices<T> topk(long k, int dim) {
        return topk(k, Order.DESCENDING, dim);
    }

    /**
     * The first {@code k} values along a dimension in order.
     *
     * @param order ascending for the smallest
     * @throws IllegalArgumentException with PyTorch's text, for more values than there are, and for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default ValuesAndIndices<T> topk(long k, Order order, int dim) {
        return Lines.topk(expr(), k, order, dim).map(this::withExpr);
    }

    /** The {@code k}-th smallest value along a dimension, counted from 1. */
    default ValuesAndIndices<T> kthvalue(long k, int dim) {
        return kthvalue(k, KeepDim.DROP, dim);
    }

    /**
     * The {@code k}-th smallest value along a dimension, counted from 1; the dimension may stay with size one.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a {@code k} that is not from 1 to the number of values, and for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> kthvalue(long k, KeepDim keepDim, int dim) {
        return Lines.kthvalue(expr(), k, keepDim, dim).map(this::withExpr);
    }
}
