package io.github.broadloom.expr.ops;

/** How two accumulators, of doubles or longs, become one: the left one comes first in the tensor. */
public enum Join {
    SUM(0, "a + b"),
    PRODUCT(1, "a * b"),
    MIN("Math.min(a, b)", "bl_minimum(a, b)"),
    MAX("Math.max(a, b)", "bl_maximum(a, b)"),
    AND(1, "a & b"),
    OR(0, "a | b"),
    /** Means, and the sums of the squared deviations from them. */
    MOMENTS("TYPE d = b0 - a0; c0 = a0 + d * share; c1 = a1 + b1 + d * d * spread;"),
    /** Values and their places: of equal values the left one stays, and so does the first NaN. */
    FIRST_MIN(choice("b0 < a0 || (b0 != b0 && a0 == a0)")),
    FIRST_MAX(choice("b0 > a0 || (b0 != b0 && a0 == a0)")),
    /** Values and their places: of equal values the right one comes, and so does the last NaN. */
    LAST_MIN(choice("b0 <= a0 || b0 != b0")),
    LAST_MAX(choice("b0 >= a0 || b0 != b0"));

    private final int components;
    private final int identity;
    private final String java;
    private final String cuda;

    Join(int components, int identity, String java, String cuda) {
        this.components = components;
        this.identity = identity;
        this.java = java;
        this.cuda = cuda;
    }

    Join(int identity, String text) {
        this(1, identity, text, text);
    }

    Join(String java, String cuda) {
        this(1, 0, java, cuda);
    }

    Join(String java) {
        this(2, 0, java, "");
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

    /** The join of one component as CUDA C, over {@code a} and {@code b}. */
    public String cuda() {
        return cuda;
    }

    /** The accumulator of no values, but of the least or the greatest. */
    public int identity() {
        return identity;
    }

    /** Whether the order in which floating values are joined never shows. */
    public boolean isExact() {
        return this != SUM && this != PRODUCT && this != MOMENTS;
    }
}
