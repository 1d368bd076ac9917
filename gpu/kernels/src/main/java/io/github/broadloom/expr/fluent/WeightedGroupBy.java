package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.WeightedGroups;

/**
 * Reductions of groups of indices that count as much as their weights say; see {@link WeightedGroups}.
 *
 * @param <T> the handle of what is grouped
 */
public final class WeightedGroupBy<T extends TensorOps<T>> {
    private final WeightedGroups groups;
    private final OpsBase<T> handle;

    WeightedGroupBy(OpsBase<T> handle, WeightedGroups groups) {
        this.handle = handle;
        this.groups = groups;
    }

    /** Of the products with the weights. */
    public T sum() {
        return handle.withExpr(groups.sum());
    }

    /** That sum over the sum of the weights. */
    public T mean() {
        return handle.withExpr(groups.mean());
    }

    /** The mean squared deviation from the mean. */
    public T var() {
        return handle.withExpr(groups.var());
    }

    /** The root of {@link #var}. */
    public T std() {
        return handle.withExpr(groups.std());
    }

    /**
     * A reduction by its name: {@code sum}, {@code mean}, {@code var} or {@code std}.
     *
     * @throws IllegalArgumentException for any other
     */
    public T reduce(String name) {
        return handle.withExpr(groups.reduce(name));
    }
}
