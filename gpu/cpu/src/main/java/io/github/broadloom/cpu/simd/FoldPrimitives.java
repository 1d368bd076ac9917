package io.github.broadloom.cpu.simd;

/** The contract of {@link Folds}. */
interface FoldPrimitives {
    void moments(double[] x, int from, int blocks, double[] out);

    void addEights(float[] x, int from, int eights, double[] out);

    void addFloats(float[] x, double[] into, int n);

    void liftMoments(double[] x, int n);

    void joinMoments(double[] into, int at, double[] other, int from, int count, double share, double spread);

    void divide(double[] x, int from, double origin, double divisor, float[] out, int n);
}
