package io.github.broadloom.expr;

import java.util.Locale;

/** In which order values of a line come. A NaN counts as the greatest; of equal values the one that stands first in the line comes first, in either order. */
public enum Order {
    /** The smallest first, and NaN last. */
    ASCENDING,
    /** NaN first, then the greatest. */
    DESCENDING;

    /** PyTorch's {@code largest} and {@code descending}. */
    public static Order of(boolean descending) {
        return descending ? DESCENDING : ASCENDING;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
