package io.github.broadloom.lanes;

/**
 * Sums of the products of lines that lie as they are, where a matrix is multiplied with a vector or a vector with a vector: eight sums at a
 * time, so that none waits for itself. Each has the bits that a tile of {@link Panels} has; plain loops do, for memory is slower.
 */
public final class Dots {
    /** How many pairs of lines are multiplied at a time. */
    public static final int LINES = 8;

    private Dots() {}

    /**
     * The sums of products of {@value #LINES} pairs of lines, which lie one behind the other: of line {@code i} the places {@code a[aFrom
     * + i * aStep + p]} and {@code b[bFrom + i * bStep + p]}, in the order of a tile.
     */
    public static void dots(float[] a, int aFrom, int aStep, float[] b, int bFrom, int bStep, int n, float[] out) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        for (int p = 0; p < n; p++) {
            int x = aFrom + p;
            int y = bFrom + p;
            s0 = Math.fma(a[x], b[y], s0);
            s1 = Math.fma(a[x + aStep], b[y + bStep], s1);
            s2 = Math.fma(a[x + 2 * aStep], b[y + 2 * bStep], s2);
            s3 = Math.fma(a[x + 3 * aStep], b[y + 3 * bStep], s3);
            s4 = Math.fma(a[x + 4 * aStep], b[y + 4 * bStep], s4);
            s5 = Math.fma(a[x + 5 * aStep], b[y + 5 * bStep], s5);
            s6 = Math.fma(a[x + 6 * aStep], b[y + 6 * bStep], s6);
            s7 = Math.fma(a[x + 7 * aStep], b[y + 7 * bStep], s7);
        }
        out[0] = s0;
        out[1] = s1;
        out[2] = s2;
        out[3] = s3;
        out[4] = s4;
        out[5] = s5;
        out[6] = s6;
        out[7] = s7;
    }

    /** {@link #dots(float[], int, int, float[], int, int, int, float[])} of doubles. */
    public static void dots(double[] a, int aFrom, int aStep, double[] b, int bFrom, int bStep, int n, double[] out) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        for (int p = 0; p < n; p++) {
            int x = aFrom + p;
            int y = bFrom + p;
            s0 = Math.fma(a[x], b[y], s0);
            s1 = Math.fma(a[x + aStep], b[y + bStep], s1);
            s2 = Math.fma(a[x + 2 * aStep], b[y + 2 * bStep], s2);
            s3 = Math.fma(a[x + 3 * aStep], b[y + 3 * bStep], s3);
            s4 = Math.fma(a[x + 4 * aStep], b[y + 4 * bStep], s4);
            s5 = Math.fma(a[x + 5 * aStep], b[y + 5 * bStep], s5);
            s6 = Math.fma(a[x + 6 * aStep], b[y + 6 * bStep], s6);
            s7 = Math.fma(a[x + 7 * aStep], b[y + 7 * bStep], s7);
        }
        out[0] = s0;
        out[1] = s1;
        out[2] = s2;
        out[3] = s3;
        out[4] = s4;
        out[5] = s5;
        out[6] = s6;
        out[7] = s7;
    }

    /** {@link #dots(float[], int, int, float[], int, int, int, float[])} of ints. */
    public static void dots(int[] a, int aFrom, int aStep, int[] b, int bFrom, int bStep, int n, int[] out) {
        int s0 = 0;
        int s1 = 0;
        int s2 = 0;
        int s3 = 0;
        int s4 = 0;
        int s5 = 0;
        int s6 = 0;
        int s7 = 0;
        for (int p = 0; p < n; p++) {
            int x = aFrom + p;
            int y = bFrom + p;
            s0 += a[x] * b[y];
            s1 += a[x + aStep] * b[y + bStep];
            s2 += a[x + 2 * aStep] * b[y + 2 * bStep];
            s3 += a[x + 3 * aStep] * b[y + 3 * bStep];
            s4 += a[x + 4 * aStep] * b[y + 4 * bStep];
            s5 += a[x + 5 * aStep] * b[y + 5 * bStep];
            s6 += a[x + 6 * aStep] * b[y + 6 * bStep];
            s7 += a[x + 7 * aStep] * b[y + 7 * bStep];
        }
        out[0] = s0;
        out[1] = s1;
        out[2] = s2;
        out[3] = s3;
        out[4] = s4;
        out[5] = s5;
        out[6] = s6;
        out[7] = s7;
    }

    /** {@link #dots(float[], int, int, float[], int, int, int, float[])} of longs. */
    public static void dots(long[] a, int aFrom, int aStep, long[] b, int bFrom, int bStep, int n, long[] out) {
        long s0 = 0;
        long s1 = 0;
        long s2 = 0;
        long s3 = 0;
        long s4 = 0;
        long s5 = 0;
        long s6 = 0;
        long s7 = 0;
        for (int p = 0; p < n; p++) {
            int x = aFrom + p;
            int y = bFrom + p;
            s0 += a[x] * b[y];
            s1 += a[x + aStep] * b[y + bStep];
            s2 += a[x + 2 * aStep] * b[y + 2 * bStep];
            s3 += a[x + 3 * aStep] * b[y + 3 * bStep];
            s4 += a[x + 4 * aStep] * b[y + 4 * bStep];
            s5 += a[x + 5 * aStep] * b[y + 5 * bStep];
            s6 += a[x + 6 * aStep] * b[y + 6 * bStep];
            s7 += a[x + 7 * aStep] * b[y + 7 * bStep];
        }
        out[0] = s0;
        out[1] = s1;
        out[2] = s2;
        out[3] = s3;
        out[4] = s4;
        out[5] = s5;
        out[6] = s6;
        out[7] = s7;
    }
}
