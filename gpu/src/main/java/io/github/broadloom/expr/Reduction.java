package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;

/** How values along dimensions become one. */
public enum Reduction {
    /** The sum; bools and integers are summed in int64. */
    SUM("sum", "a + b"),
    /** The arithmetic mean of floating numbers. */
    MEAN("mean", "a + b"),
    /** The smallest value, or NaN where there is one. */
    AMIN("amin", "Math.min(a, b)"),
    /** The greatest value, or NaN where there is one. */
    AMAX("amax", "Math.max(a, b)");

    private final String torchName;
    private final String javaJoin;

    Reduction(String torchName, String javaJoin) {
        this.torchName = torchName;
        this.javaJoin = javaJoin;
    }

    /** PyTorch's name. */
    public String torchName() {
        return torchName;
    }

    /** How the accumulators {@code a} and {@code b}, doubles or longs, become one: an expression of Java. */
    public String javaJoin() {
        return javaJoin;
    }

    /** Whether the reduction of no values at all has a value: 0 for a sum, NaN for a mean. */
    public boolean acceptsEmpty() {
        return this == SUM || this == MEAN;
    }

    /**
     * The dtype of the result.
     *
     * @throws IllegalArgumentException with PyTorch's text, for the mean of bools or integers
     */
    public DType resultType(DType operand) {
        return switch (this) {
            case SUM -> operand.isFloatingPoint() ? operand : DType.INT64;
            case MEAN -> {
                if (!operand.isFloatingPoint()) {
                    throw new IllegalArgumentException("mean(): could not infer output dtype. Input dtype must be"
                            + " either a floating point or complex dtype. Got: " + operand.typeName());
                }
                yield operand;
            }
            case AMIN, AMAX -> operand;
        };
    }

    @Override
    public String toString() {
        return torchName;
    }
}
