package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;

/**
 * How values along dimensions become one. Partial results are accumulators; {@link #join()} says how two of them become
 * one.
 */
public enum Reduction {
    /** The sum; bools and integers are summed in int64. */
    SUM("sum", Join.SUM, "A + 0.0"),
    /** The arithmetic mean of floating numbers. */
    MEAN("mean", Join.SUM, "(A + 0.0) / N"),
    /** The product; bools and integers are multiplied in int64. */
    PROD("prod", Join.PRODUCT),
    /** The smallest value, or NaN where there is one. */
    AMIN("amin", Join.MIN),
    /** The greatest value, or NaN where there is one. */
    AMAX("amax", Join.MAX),
    /** Whether every value is true; of other dtypes, whether none is zero. NaN is not zero. */
    ALL("all", Join.AND),
    /** Whether a value is true; of other dtypes, whether one is not zero. NaN is not zero. */
    ANY("any", Join.OR),
    /**
     * The variance of floating numbers: the squared deviations from the mean, over their count less a correction. The
     * components are the mean and the sum of the squared deviations, joined as Chan, Golub and LeVeque do (1979), so
     * that a mean far from zero costs no precision.
     */
    VAR("var", Join.MOMENTS, "A.c1 / N"),
    /** The square root of the variance. */
    STD("std", Join.MOMENTS, "sqrt(A.c1 / N)"),
    /**
     * Where the smallest value is, or the first NaN; of several, the first. The components are the value and its place.
     */
    ARGMIN("argmin", Join.FIRST_MIN, "A.c1"),
    /**
     * Where the greatest value is, or the first NaN; of several, the first. The components are the value and its place.
     */
    ARGMAX("argmax", Join.FIRST_MAX, "A.c1");

    private final String torchName;
    private final Join join;
    private final String finish;

    Reduction(String torchName, Join join) {
        this(torchName, join, "A");
    }

    /** @param finish as CUDA C, the element of a result that becomes of an accumulator {@code A}, divided by {@code N} */
    Reduction(String torchName, Join join, String finish) {
        this.torchName = torchName;
        this.join = join;
        this.finish = finish;
    }

    /** PyTorch's name. */
    public String torchName() {
        return torchName;
    }

    /** How two accumulators become one. */
    public Join join() {
        return join;
    }

    /** Whether its accumulators are sums. */
    public boolean isSum() {
        return join == Join.SUM;
    }

    /** Whether it is the place of a value. */
    public boolean isPosition() {
        return join == Join.FIRST_MIN || join == Join.FIRST_MAX;
    }

    /** Whether it is made from squared deviations, which have a correction. */
    public boolean isDeviation() {
        return join == Join.MOMENTS;
    }

    /** Whether it only asks which values are zero. */
    public boolean isLogical() {
        return join == Join.AND || join == Join.OR;
    }

    /** Whether the reduction of no values at all has a value: 0 for a sum, 1 for a product, NaN for a mean. */
    public boolean acceptsEmpty() {
        return join != Join.MIN && join != Join.MAX && !isPosition();
    }

    /** The element of a result, as CUDA C. PyTorch's sums begin at +0.0, so that of nothing but -0.0 is +0.0. */
    public String finish(String acc, String divisor, boolean floating) {
        return floating || !isSum() ? finish.replace("A", acc).replace("N", divisor) : acc;
    }

    /**
     * The dtype of the result.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a dtype that has no such result
     */
    public DType resultType(DType operand) {
        return switch (this) {
            case SUM, PROD -> operand.isFloatingPoint() ? operand : DType.INT64;
            case MEAN ->
                floating(
                        operand,
                        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."
                                + " Got: " + operand.typeName());
            case VAR, STD -> floating(operand, "std and var only support floating point and complex dtypes");
            case AMIN, AMAX -> operand;
            case ALL, ANY -> DType.BOOL;
            case ARGMIN, ARGMAX -> {
                if (operand == DType.BOOL) {
                    throw new IllegalArgumentException(torchName + "(): does not support bool input");
                }
                yield DType.INT64;
            }
        };
    }

    private static DType floating(DType operand, String refusal) {
        if (!operand.isFloatingPoint()) {
            throw new IllegalArgumentException(refusal);
        }
        return operand;
    }

    @Override
    public String toString() {
        return torchName;
    }
}
