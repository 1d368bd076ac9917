package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import java.util.Locale;

/**
 * Reductions of {@link Groups} where each index counts as much as its weight says, as xarray has them. They are summed in float64, and of the dtype of what is grouped; a group without weight is NaN, but for
 * its sum.
 */
public final class WeightedGroups {
    private final Groups groups;
    private final Expr weights;

    /** @param weights float64, of the rank of the operand */
    WeightedGroups(Groups groups, Expr weights) {
        this.groups = groups;
        this.weights = weights;
    }

    private Expr operand() {
        return Expr.cast(groups.operand(), DType.FLOAT64);
    }

    private Expr narrow(Expr wide) {
        return Expr.cast(wide, groups.operand().dtype());
    }

    /** Of what is of each index and its weight. */
    private Expr sum(Expr wide) {
        return groups.of(Expr.apply(Ops.MUL, wide, weights)).sum();
    }

    /** Over the sum of the weights, as the groups differ from line to line. */
    private Expr mean(Expr wide) {
        return Expr.apply(Ops.DIV, sum(wide), sum(Expr.cast(groups.ones(), DType.FLOAT64)));
    }

    private Expr variance() {
        Expr deviations = Expr.apply(Ops.SUB, operand(), groups.spread(mean(operand())));
        return mean(Expr.apply(Ops.SQUARE, deviations));
    }

    /** Of the products. */
    public Expr sum() {
        return narrow(sum(operand()));
    }

    /** That sum over the sum of the weights. */
    public Expr mean() {
        return narrow(mean(operand()));
    }

    /** The mean squared deviation from the mean. */
    public Expr var() {
        return narrow(variance());
    }

    /** The root of {@link #var}. */
    public Expr std() {
        return narrow(Expr.apply(Ops.SQRT, variance()));
    }

    /**
     * A reduction by its name: {@code sum}, {@code mean}, {@code var} or {@code std}.
     *
     * @throws IllegalArgumentException for any other
     */
    public Expr reduce(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "sum" -> sum();
            case "mean" -> mean();
            case "var" -> var();
            case "std" -> std();
            default ->
                throw new IllegalArgumentException(
                        "Cannot reduce weighted groups by '" + name + "'; there are sum, mean, var and std");
        };
    }
}
