package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import java.util.Arrays;
import java.util.Locale;

/** How a quotient is rounded: PyTorch's {@code rounding_mode}. */
public enum Rounding {
    /** Towards zero, as C rounds integers. */
    TRUNC,
    /** Down, as Python's {@code //} does. */
    FLOOR;

    /** The division that rounds so. */
    public Op division() {
        return this == TRUNC ? Ops.DIV_TRUNC : Ops.FLOOR_DIVIDE;
    }

    /**
     * By PyTorch's name.
     *
     * @throws IllegalArgumentException with PyTorch's text, for any other
     */
    static Rounding of(String name) {
        return Arrays.stream(values())
                .filter(value -> value.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + name + "'"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
