package io.github.broadloom.lanes;

/** What reductions do to arrays of doubles. The order of the additions is part of each function, so the bits are always the same. */
public final class Folds {
    /** How many values {@link #moments} takes for one mean. */
    public static final int BLOCK = 64;

    private static final Folding FOLDING = Twins.of(Folding.class, new ScalarFolding());

    private Folds() {}

    /**
     * The means of blocks of {@value #BLOCK} values, and the sums of the squared distances from them, side by side. A block is
     * summed as eight rows of eight: the rows as neighbours, then their sums, then those; then the eight sums in the same way.
     */
    public static void moments(double[] x, int from, int blocks, double[] out) {
        FOLDING.moments(x, from, blocks, out);
    }

    /**
     * The sums, as doubles, of each eight of neighbours: of four pairs of neighbours, of two pairs of those, and of these.
     *
     * @param eights how many, from {@code x[from]} on
     * @param out takes them from its beginning
     */
    public static void addEights(float[] x, int from, int eights, double[] out) {
        FOLDING.addEights(x, from, eights, out);
    }

    /** {@code (x[from + i] + origin) / divisor} for {@code n} elements, as float32, where one NaN stands for all. */
    public static void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        FOLDING.divide(x, from, origin, divisor, out, n);
    }
}
