package io.github.broadloom.expr;

/** How two accumulators, of doubles or longs, become one: the left one comes first in the tensor. */
public enum Join {
    SUM("a + b"),
    PRODUCT("a * b"),
    MIN("Math.min(a, b)"),
    MAX("Math.max(a, b)"),
    AND("a & b"),
    OR("a | b"),
    /** Means, and the sums of the squared deviations from them. */
    MOMENTS(2, "TYPE d = b0 - a0; c0 = a0 + d * share; c1 = a1 + b1 + d * d * spread;"),
    /** Values and their places: of equal values the left one stays, and so does the first NaN. */
    FIRST_MIN(2, choice("b0 < a0 || (b0 != b0 && a0 == a0)")),
    FIRST_MAX(2, choice("b0 > a0 || (b0 != b0 && a0 == a0)")),
    /** Values and their places: of equal values the right one comes, and so does the last NaN. */
    LAST_MIN(2, choice("b0 <= a0 || b0 != b0")),
    LAST_MAX(2, choice("b0 >= a0 || b0 != b0"));

    private final int components;
    private final String java;

    Join(String java) {
        this(1, java);
    }

    Join(int components, String java) {
        this.components = components;
        this.java = java;
    }

    private static String choice(String right) {
        return "boolean right = " + right + "; c0 = right ? b0 : a0; c1 = right ? b1 : a1;";
    }

    /** How many numbers an accumulator has. */
    public int components() {
        return components;
    }

    /**
     * The join as Java. Of one component: an expression over {@code a} and {@code b}. Of two: statements that assign
     * {@code c0} and {@code c1} from {@code a0}, {@code a1}, {@code b0} and {@code b1}; {@code TYPE} is their type, and where
     * n and m values are in the two, {@code share} is m / (n + m) and {@code spread} is n m / (n + m).
     */
    public String java() {
        return java;
    }
}
