package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;

/**
 * How values along dimensions become one. Partial results are accumulators, of one number each or of several
 * <em>components</em>; {@link #javaJoin()} says how two of them become one.
 */
public enum Reduction {
    /** The sum; bools and integers are summed in int64. */
    SUM("sum", "a + b"),
    /** The arithmetic mean of floating numbers. */
    MEAN("mean", "a + b"),
    /** The product; bools and integers are multiplied in int64. */
    PROD("prod", "a * b"),
    /** The smallest value, or NaN where there is one. */
    AMIN("amin", "Math.min(a, b)"),
    /** The greatest value, or NaN where there is one. */
    AMAX("amax", "Math.max(a, b)"),
    /** Whether every value is true; of other dtypes, whether none is zero. NaN is not zero. */
    ALL("all", "a & b"),
    /** Whether a value is true; of other dtypes, whether one is not zero. NaN is not zero. */
    ANY("any", "a | b"),
    /**
     * The variance of floating numbers: the squared deviations from the mean, over their count less a correction. The
     * components are the mean and the sum of the squared deviations, joined as Chan, Golub and LeVeque do (1979), so
     * that a mean far from zero costs no precision.
     */
    VAR("var", Joins.MOMENTS),
    /** The square root of the variance. */
    STD("std", Joins.MOMENTS),
    /**
     * Where the smallest value is, or the first NaN; of several, the first. The components are the value and its place.
     */
    ARGMIN("argmin", Joins.firstThat("b0 < a0")),
    /**
     * Where the greatest value is, or the first NaN; of several, the first. The components are the value and its place.
     */
    ARGMAX("argmax", Joins.firstThat("b0 > a0"));

    private final String torchName;
    private final String javaJoin;

    Reduction(String torchName, String javaJoin) {
        this.torchName = torchName;
        this.javaJoin = javaJoin;
    }

    /** The joins of two components. */
    private static final class Joins {
        static final String MOMENTS = "TYPE d = b0 - a0; c0 = a0 + d * share; c1 = a1 + b1 + d * d * spread;";

        /** The left value comes before the right one in the tensor, so it stays where they are equal. */
        static String firstThat(String better) {
            return "boolean right = " + better + " || (b0 != b0 && a0 == a0);"
                    + " c0 = right ? b0 : a0; c1 = right ? b1 : a1;";
        }

        private Joins() {}
    }

    /** PyTorch's name. */
    public String torchName() {
        return torchName;
    }

    /** How many numbers an accumulator has. */
    public int components() {
        return isDeviation() || isPosition() ? 2 : 1;
    }

    /**
     * How two accumulators, of doubles or longs, become one. Of one component: an expression of Java over {@code a} and
     * {@code b}, of which {@code a} comes first in the tensor. Of two: statements that assign {@code c0} and {@code c1} from
     * {@code a0}, {@code a1}, {@code b0} and {@code b1}; {@code TYPE} is their type, and where n and m values are in
     * the two, {@code share} is m / (n + m) and {@code spread} is n m / (n + m).
     */
    public String javaJoin() {
        return javaJoin;
    }

    /** Whether its accumulators are sums. */
    public boolean isSum() {
        return this == SUM || this == MEAN;
    }

    /** Whether it is the place of a value. */
    public boolean isPosition() {
        return this == ARGMIN || this == ARGMAX;
    }

    /** Whether it is made from squared deviations, which have a correction. */
    public boolean isDeviation() {
        return this == VAR || this == STD;
    }

    /** Whether it only asks which values are zero. */
    public boolean isLogical() {
        return this == ALL || this == ANY;
    }

    /** Whether the reduction of no values at all has a value: 0 for a sum, 1 for a product, NaN for a mean. */
    public boolean acceptsEmpty() {
        return switch (this) {
            case AMIN, AMAX, ARGMIN, ARGMAX -> false;
            default -> true;
        };
    }

    /** The accumulators of no values: 0, but 1 for a product and for all of nothing. */
    public int identity() {
        return this == PROD || this == ALL ? 1 : 0;
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
