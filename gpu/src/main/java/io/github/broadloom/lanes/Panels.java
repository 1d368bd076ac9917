package io.github.broadloom.lanes;

/**
 * Products of small matrices that lie packed in arrays, the inner loops of a large one: {@value #ROWS} rows of the left operand,
 * side by side, times {@value #COLUMNS} columns of the right one. Each element is summed over the panel in its order, from zero, by
 * fused multiply-adds; integers wrap. On the Vector API or in plain loops, with the same bits but for which NaN it is: {@link #keepOneNaN}.
 */
public final class Panels {
    /** Rows of a tile: of the left operand, {@code a[from + p * ROWS + row]}. */
    public static final int ROWS = 4;

    /** Columns of a tile: of the right operand, {@code b[from + p * COLUMNS + column]}. */
    public static final int COLUMNS = 16;

    private static final PanelProducts PRODUCTS = Twins.of(PanelProducts.class, new ScalarPanelProducts());

    private Panels() {}

    /** {@code out[at + row * step + column]} as the sum over the first {@code n} places of the panel. */
    public static void multiply(float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int at, int step) {
        PRODUCTS.multiply(a, aFrom, b, bFrom, n, out, at, step);
    }

    /** {@link #multiply(float[], int, float[], int, int, float[], int, int)} of doubles. */
    public static void multiply(double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int at, int step) {
        PRODUCTS.multiply(a, aFrom, b, bFrom, n, out, at, step);
    }

    /** {@link #multiply(float[], int, float[], int, int, float[], int, int)} of ints. */
    public static void multiply(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int at, int step) {
        PRODUCTS.multiply(a, aFrom, b, bFrom, n, out, at, step);
    }

    /** {@link #multiply(float[], int, float[], int, int, float[], int, int)} of longs. */
    public static void multiply(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int at, int step) {
        PRODUCTS.multiply(a, aFrom, b, bFrom, n, out, at, step);
    }

    /** Makes every NaN the one that Java's constant is: which one an operation gives is the processor's choice. */
    public static void keepOneNaN(float[] x, int n) {
        PRODUCTS.keepOneNaN(x, n);
    }

    /** {@link #keepOneNaN(float[], int)} of doubles. */
    public static void keepOneNaN(double[] x, int n) {
        PRODUCTS.keepOneNaN(x, n);
    }
}
