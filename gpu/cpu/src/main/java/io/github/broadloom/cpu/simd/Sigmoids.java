package io.github.broadloom.cpu.simd;

/**
 * Activation functions, from the power of e. A float is computed as a double and rounded once. They have no value at -inf where they are x times
 * something that is 0 there. Every method may write over what it reads.
 */
interface Sigmoids {
    /** From here on exp(x) passes the greatest float. */
    float OVERFLOW = 88.72284f;

    /** Beyond it on either side exp(x) is nothing beside 1, or 1 beside it, and x exp(x) rounds to 0. */
    float FAR = 120;

    /** √(8 / π), and 0.044715 times that. */
    double SLOPE = 1.5957691216057308;

    double CUBIC = 0.07135481627260025;

    void sigmoid(float[] x, float[] out, int from, int to);

    void silu(float[] x, float[] out, int from, int to);

    void geluTanh(float[] x, float[] out, int from, int to);

    void mish(float[] x, float[] out, int from, int to);

    void softplus(float[] x, float beta, float threshold, float[] out, int from, int to);

    void logsigmoid(float[] x, float[] out, int from, int to);
}
