package io.github.broadloom.expr;

import java.util.Locale;

/** How a quotient is rounded: PyTorch's {@code rounding_mode}. */
public enum Rounding {
    /** Towards zero, as C rounds integers. */
    TRUNC,
    /** Down, as Python's {@code //} does. */
    FLOOR;

    /** PyTorch's word. */
    String torchName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
