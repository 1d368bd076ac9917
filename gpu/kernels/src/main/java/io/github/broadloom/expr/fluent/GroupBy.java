package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Groups;
import io.github.broadloom.expr.Interpolation;

/**
 * Reductions of groups of indices along one dimension; see {@link Groups}. In each result the groups stand in the place of the indices.
 *
 * @param <T> the handle of what is grouped
 */
public final class GroupBy<T extends TensorOps<T>> {
    private final Groups groups;
    private final OpsBase<T> handle;

    GroupBy(OpsBase<T> handle, Groups groups) {
        this.handle = handle;
        this.groups = groups;
    }

    private T of(Expr expr) {
        return handle.withExpr(expr);
    }

    /**
     * The same, where each index counts as much as its weight says.
     *
     * @param weights floating numbers: a vector as long as the dimension, or what broadcasts to the tensor
     * @throws IllegalArgumentException for anything else
     */
    public WeightedGroupBy<T> weighted(Object weights) {
        return new WeightedGroupBy<>(handle, groups.weighted(handle.operand(weights)));
    }

    /** Of integers and bools in int64. */
    public T sum() {
        return reduce("sum");
    }

    /** How many indices each group has, int64. */
    public T count() {
        return reduce("count");
    }

    /** @throws IllegalArgumentException with PyTorch's text, for integers */
    public T mean() {
        return reduce("mean");
    }

    /** The variance with Bessel's correction. */
    public T var() {
        return reduce("var");
    }

    /**
     * The squared deviations from the mean over their count less {@code correction}.
     *
     * @throws IllegalArgumentException with PyTorch's text, for integers
     */
    public T var(double correction) {
        return of(groups.var(correction));
    }

    /** The root of {@link #var()}. */
    public T std() {
        return reduce("std");
    }

    public T min() {
        return reduce("min");
    }

    public T max() {
        return reduce("max");
    }

    /** The element at the first index of each group. */
    public T first() {
        return reduce("first");
    }

    /** The element at the last index of each group. */
    public T last() {
        return reduce("last");
    }

    /** The middle element, of two the lower one; NaN where there is one. */
    public T median() {
        return reduce("median");
    }

    /**
     * The value of each group below which a part {@code q} lies.
     *
     * @throws IllegalArgumentException with PyTorch's text, for dtypes other than float32 and float64, and a {@code q} outside of 0 to 1
     */
    public T quantile(double q) {
        return of(groups.quantile(q, Interpolation.LINEAR));
    }

    /** A reduction by its name; see {@link Groups#reduce}. */
    public T reduce(String name) {
        return of(groups.reduce(name));
    }
}
