package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.held;
import static io.github.broadloom.cpu.simd.ScalarExponentials.size;

/** {@link Sigmoids} one by one. */
final class ScalarSigmoids implements Sigmoids {

    /** A product with x, which is NaN where x is -inf or NaN. */
    private static float product(double value, float x) {
        return x > Float.NEGATIVE_INFINITY ? (float) value : Float.NaN;
    }

    @Override
    public void sigmoid(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double power = ScalarExponentials.exp(0 - (double) held(x[i], -FAR, FAR));
            out[i] = x[i] <= -OVERFLOW ? 0 : (float) (1 / (power + 1));
        }
    }

    @Override
    public void silu(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float size = held(x[i], -FAR, FAR);
            double power = ScalarExponentials.exp(0 - (double) size);
            out[i] = product((x[i] < -FAR ? size : x[i]) / (power + 1), x[i]);
        }
    }

    @Override
    public void geluTanh(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double wide = held(x[i], -12, 12);
            double slope = Math.fma(wide * wide, CUBIC, SLOPE);
            double power = ScalarExponentials.exp(0 - wide * slope);
            float factor = x[i] < -12 ? -12 : x[i];
            out[i] = product(factor / (power + 1), x[i]);
        }
    }

    @Override
    public void mish(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float size = held(x[i], -FAR, FAR);
            double power = ScalarExponentials.exp(size);
            double above = Math.fma(power, power, 2 * power); // exp(2x) + 2 exp(x)
            double share = above / (above + 2);
            out[i] = product((x[i] < -FAR ? size : x[i]) * share, x[i]);
        }
    }

    @Override
    public void softplus(float[] x, float beta, float threshold, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double y = (double) x[i] * beta;
            double power = ScalarExponentials.exp(Math.max(0 - Math.abs(y), -200));
            float curved = (float) ((ScalarLogarithms.log1p(power) + Math.max(y, 0)) / beta);
            float result = y > threshold ? x[i] : curved;
            out[i] = Float.isNaN(result) ? Float.NaN : result;
        }
    }

    @Override
    public void logsigmoid(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double rest = ScalarLogarithms.log1p(ScalarExponentials.exp(0 - (double) size(x[i], FAR)));
            float below = x[i] < 0 ? x[i] : 0;
            float result = (float) (below - rest) + 0f; // not -0
            out[i] = Float.isNaN(x[i]) ? Float.NaN : result;
        }
    }
}
