package io.github.broadloom.lanes;

/** {@link PanelProducts} in plain loops: eight sums at a time, so that none waits for itself. */
final class ScalarPanelProducts implements PanelProducts {
    /** How many of a tile's columns are summed at a time, in two rows. */
    private static final int QUARTER = Panels.COLUMNS / 4;

    @Override
    public void multiply(float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int at, int step) {
        for (int row = 0; row < Panels.ROWS; row += 2) {
            for (int column = 0; column < Panels.COLUMNS; column += QUARTER) {
                int place = at + row * step + column;
                quarters(a, aFrom + row, b, bFrom + column, n, out, place, place + step);
            }
        }
    }

    private static void quarters(
            float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int first, int second) {
        float f0 = 0;
        float f1 = 0;
        float f2 = 0;
        float f3 = 0;
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        for (int p = 0; p < n; p++) {
            float upper = a[aFrom + p * Panels.ROWS];
            float lower = a[aFrom + p * Panels.ROWS + 1];
            int from = bFrom + p * Panels.COLUMNS;
            f0 = Math.fma(upper, b[from], f0);
            f1 = Math.fma(upper, b[from + 1], f1);
            f2 = Math.fma(upper, b[from + 2], f2);
            f3 = Math.fma(upper, b[from + 3], f3);
            s0 = Math.fma(lower, b[from], s0);
            s1 = Math.fma(lower, b[from + 1], s1);
            s2 = Math.fma(lower, b[from + 2], s2);
            s3 = Math.fma(lower, b[from + 3], s3);
        }
        out[first] = f0;
        out[first + 1] = f1;
        out[first + 2] = f2;
        out[first + 3] = f3;
        out[second] = s0;
        out[second + 1] = s1;
        out[second + 2] = s2;
        out[second + 3] = s3;
    }

    @Override
    public void multiply(double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int at, int step) {
        for (int row = 0; row < Panels.ROWS; row += 2) {
            for (int column = 0; column < Panels.COLUMNS; column += QUARTER) {
                int place = at + row * step + column;
                quarters(a, aFrom + row, b, bFrom + column, n, out, place, place + step);
            }
        }
    }

    private static void quarters(
            double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int first, int second) {
        double f0 = 0;
        double f1 = 0;
        double f2 = 0;
        double f3 = 0;
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        for (int p = 0; p < n; p++) {
            double upper = a[aFrom + p * Panels.ROWS];
            double lower = a[aFrom + p * Panels.ROWS + 1];
            int from = bFrom + p * Panels.COLUMNS;
            f0 = Math.fma(upper, b[from], f0);
            f1 = Math.fma(upper, b[from + 1], f1);
            f2 = Math.fma(upper, b[from + 2], f2);
            f3 = Math.fma(upper, b[from + 3], f3);
            s0 = Math.fma(lower, b[from], s0);
            s1 = Math.fma(lower, b[from + 1], s1);
            s2 = Math.fma(lower, b[from + 2], s2);
            s3 = Math.fma(lower, b[from + 3], s3);
        }
        out[first] = f0;
        out[first + 1] = f1;
        out[first + 2] = f2;
        out[first + 3] = f3;
        out[second] = s0;
        out[second + 1] = s1;
        out[second + 2] = s2;
        out[second + 3] = s3;
    }

    @Override
    public void multiply(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int at, int step) {
        for (int row = 0; row < Panels.ROWS; row += 2) {
            for (int column = 0; column < Panels.COLUMNS; column += QUARTER) {
                int place = at + row * step + column;
                quarters(a, aFrom + row, b, bFrom + column, n, out, place, place + step);
            }
        }
    }

    private static void quarters(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int first, int second) {
        int f0 = 0;
        int f1 = 0;
        int f2 = 0;
        int f3 = 0;
        int s0 = 0;
        int s1 = 0;
        int s2 = 0;
        int s3 = 0;
        for (int p = 0; p < n; p++) {
            int upper = a[aFrom + p * Panels.ROWS];
            int lower = a[aFrom + p * Panels.ROWS + 1];
            int from = bFrom + p * Panels.COLUMNS;
            f0 += upper * b[from];
            f1 += upper * b[from + 1];
            f2 += upper * b[from + 2];
            f3 += upper * b[from + 3];
            s0 += lower * b[from];
            s1 += lower * b[from + 1];
            s2 += lower * b[from + 2];
            s3 += lower * b[from + 3];
        }
        out[first] = f0;
        out[first + 1] = f1;
        out[first + 2] = f2;
        out[first + 3] = f3;
        out[second] = s0;
        out[second + 1] = s1;
        out[second + 2] = s2;
        out[second + 3] = s3;
    }

    @Override
    public void multiply(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int at, int step) {
        for (int row = 0; row < Panels.ROWS; row += 2) {
            for (int column = 0; column < Panels.COLUMNS; column += QUARTER) {
                int place = at + row * step + column;
                quarters(a, aFrom + row, b, bFrom + column, n, out, place, place + step);
            }
        }
    }

    private static void quarters(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int first, int second) {
        long f0 = 0;
        long f1 = 0;
        long f2 = 0;
        long f3 = 0;
        long s0 = 0;
        long s1 = 0;
        long s2 = 0;
        long s3 = 0;
        for (int p = 0; p < n; p++) {
            long upper = a[aFrom + p * Panels.ROWS];
            long lower = a[aFrom + p * Panels.ROWS + 1];
            int from = bFrom + p * Panels.COLUMNS;
            f0 += upper * b[from];
            f1 += upper * b[from + 1];
            f2 += upper * b[from + 2];
            f3 += upper * b[from + 3];
            s0 += lower * b[from];
            s1 += lower * b[from + 1];
            s2 += lower * b[from + 2];
            s3 += lower * b[from + 3];
        }
        out[first] = f0;
        out[first + 1] = f1;
        out[first + 2] = f2;
        out[first + 3] = f3;
        out[second] = s0;
        out[second + 1] = s1;
        out[second + 2] = s2;
        out[second + 3] = s3;
    }

    @Override
    public void keepOneNaN(float[] x, int n) {
        keepOneNaN(x, 0, n);
    }

    /** The elements from {@code first} on. */
    static void keepOneNaN(float[] x, int first, int n) {
        for (int i = first; i < n; i++) {
            x[i] = Float.isNaN(x[i]) ? Float.NaN : x[i];
        }
    }

    @Override
    public void keepOneNaN(double[] x, int n) {
        keepOneNaN(x, 0, n);
    }

    /** The elements from {@code first} on. */
    static void keepOneNaN(double[] x, int first, int n) {
        for (int i = first; i < n; i++) {
            x[i] = Double.isNaN(x[i]) ? Double.NaN : x[i];
        }
    }
}
