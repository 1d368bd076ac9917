package io.github.broadloom.cpu.simd;

/**
 * Comparisons, and the choice between two values. A truth is a byte: 1 or, where nothing says otherwise, 0; any byte but 0
 * counts as true. {@code NaN} equals nothing, is neither less nor greater, and differs from itself.
 */
interface Choices {
    void lt(float[] a, float[] b, byte[] out, int from, int to);

    void le(float[] a, float[] b, byte[] out, int from, int to);

    void eq(float[] a, float[] b, byte[] out, int from, int to);

    void ne(float[] a, float[] b, byte[] out, int from, int to);

    void lt(int[] a, int[] b, byte[] out, int from, int to);

    void le(int[] a, int[] b, byte[] out, int from, int to);

    void eq(int[] a, int[] b, byte[] out, int from, int to);

    void ne(int[] a, int[] b, byte[] out, int from, int to);

    void where(byte[] truth, float[] a, float[] b, float[] out, int from, int to);

    void where(byte[] truth, int[] a, int[] b, int[] out, int from, int to);

    /** x where a is less than b, else y: what {@code where} of {@code lt} is, without the truths. */
    void whereLt(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to);

    /** x where a is less than b or equal, else y. */
    void whereLe(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to);
}
