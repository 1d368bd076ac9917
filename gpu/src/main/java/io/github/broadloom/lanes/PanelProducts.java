package io.github.broadloom.lanes;

/** The contract of {@link Panels}. */
interface PanelProducts {
    void multiply(float[] a, int aFrom, float[] b, int bFrom, int n, float[] out, int at, int step);

    void multiply(double[] a, int aFrom, double[] b, int bFrom, int n, double[] out, int at, int step);

    void multiply(int[] a, int aFrom, int[] b, int bFrom, int n, int[] out, int at, int step);

    void multiply(long[] a, int aFrom, long[] b, int bFrom, int n, long[] out, int at, int step);

    void keepOneNaN(float[] x, int n);

    void keepOneNaN(double[] x, int n);
}
