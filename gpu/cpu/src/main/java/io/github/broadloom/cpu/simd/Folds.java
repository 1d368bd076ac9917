package io.github.broadloom.cpu.simd;

import java.lang.invoke.MethodHandle;

/** What reductions do to arrays of doubles. The order of the additions is part of each function, so the bits are always the same. */
public final class Folds {
    private static final FoldPrimitives FOLDING = Twins.of(FoldPrimitives.class, new FoldPrimitives());

    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle addEights =
            Apart.of(FOLDING, "addEights", float[].class, int.class, int.class, double[].class);

    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle addRows = Apart.of(FOLDING, "addRows", float[].class, int.class, double[].class);

    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle addWideRows = Apart.of(FOLDING, "addRows", double[].class, int.class, double[].class);

    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle addFloats = Apart.of(FOLDING, "addFloats", float[].class, double[].class, int.class);

    private Folds() {}

    /**
     * The means of blocks of {@value io.github.broadloom.kernels.reduce.PairwiseTree#BLOCK} values, and the sums of the squared distances from them, side by side. A block is
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
        try {
            addEights.invokeExact(x, from, eights, out);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }

    /**
     * The sums, as doubles, of the columns of eight rows: of four pairs of neighbouring rows, of two pairs of those, and of these.
     *
     * @param x the rows, one after the other
     */
    public static void addRows(float[] x, int width, double[] out) {
        try {
            addRows.invokeExact(x, width, out);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }

    /** As {@link #addRows(float[], int, double[])}, of rows of doubles. */
    public static void addRows(double[] x, int width, double[] out) {
        try {
            addWideRows.invokeExact(x, width, out);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }

    /**
     * The greatest of {@code n} values, at least one, or the least; NaN where there is one.
     *
     * @param sign 1 for the greatest; -1 for the least, which is the greatest of the negated values
     */
    public static float extreme(float[] x, int from, int n, float sign) {
        return FOLDING.extreme(x, from, n, sign);
    }

    /** As {@link #extreme}, of each column of eight rows, into the first {@code width} elements. */
    public static void extremesOfRows(float[] x, int width, float sign, float[] out) {
        FOLDING.extremesOfRows(x, width, sign, out);
    }

    /**
     * As {@link #extremesOfRows}, with the number of the first row that has the value, or the first NaN.
     *
     * @param best takes the values
     * @param rows takes the numbers
     */
    public static void firstExtremesOfRows(float[] x, int width, float sign, float[] best, float[] rows) {
        FOLDING.firstExtremesOfRows(x, width, sign, best, rows);
    }

    /** Adds the first {@code n} values, as doubles, to others. */
    public static void addFloats(float[] x, double[] into, int n) {
        try {
            addFloats.invokeExact(x, into, n);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }

    /**
     * Makes {@code n} values the moments of one value each: the value, its mean, and the squared distance from it, side by side. The distance
     * is 0, but of an infinity or NaN, which have no distance from a mean, NaN.
     *
     * @param x the values, and in their place the moments: at least {@code 2 * n} long
     */
    public static void liftMoments(double[] x, int n) {
        FOLDING.liftMoments(x, n);
    }

    /**
     * Joins means and sums of squared distances, side by side, to others of as many values each.
     *
     * @param count of numbers, two for each mean
     * @param share of {@code n + m} values, m of them in {@code other}: m / (n + m)
     * @param spread n m / (n + m)
     */
    public static void joinMoments(
            double[] into, int at, double[] other, int from, int count, double share, double spread) {
        FOLDING.joinMoments(into, at, other, from, count, share, spread);
    }

    /** {@code (x[from + i] + origin) / divisor} for {@code n} elements, as float32, where one NaN stands for all. */
    public static void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        FOLDING.divide(x, from, origin, divisor, out, n);
    }
}
