package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;

/** How values along dimensions become one. */
public enum Reduction {
    /** The sum; bools and integers are summed in int64. */
    SUM("sum"),
    /** The arithmetic mean of floating numbers. */
    MEAN("mean"),
    /** The smallest value, or NaN where there is one. */
    AMIN("amin"),
    /** The greatest value, or NaN where there is one. */
    AMAX("amax");

    private final String torchName;

    Reduction(String torchName) {
        this.torchName = torchName;
    }

    /** PyTorch's name. */
    public String torchName() {
        return torchName;
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
