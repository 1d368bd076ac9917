package io.github.broadloom.expr;

import java.util.Arrays;
import java.util.Locale;

/** What a quantile is where it falls between two values; the names are PyTorch's. */
public enum Interpolation {
    /** The point of the line through both that is as far between them. */
    LINEAR,
    LOWER,
    HIGHER,
    /** Halfway between both, wherever it falls between them. */
    MIDPOINT,
    /** The nearer value; from halfway the one of even rank. */
    NEAREST;

    /**
     * By PyTorch's name.
     *
     * @throws IllegalArgumentException with PyTorch's text, for any other
     */
    public static Interpolation of(String name) {
        return Arrays.stream(values())
                .filter(value -> value.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("quantile() interpolation must be one of linear, lower,"
                        + " higher, midpoint or nearest, but got " + name));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
