package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.held;
import static io.github.broadloom.cpu.simd.ScalarExponentials.signed;
import static io.github.broadloom.cpu.simd.ScalarExponentials.size;

/** {@link Bells} one by one. */
final class ScalarBells implements Bells {

    /** erf(x) / x of z = x², near 0. */
    private static double erfOver(double z) {
        double p = Math.fma(z, E3, E2);
        p = Math.fma(p, z, E1);
        return Math.fma(p, z, E0);
    }

    /** exp(x²) erfc(x). */
    private static double complement(double x) {
        double t = (x - 4) / (x + 4);
        return g(t) / (x + 4);
    }

    private static double g(double t) {
        double p = Math.fma(t, G15, G14);
        p = Math.fma(p, t, G13);
        p = Math.fma(p, t, G12);
        p = Math.fma(p, t, G11);
        p = Math.fma(p, t, G10);
        p = Math.fma(p, t, G9);
        p = Math.fma(p, t, G8);
        p = Math.fma(p, t, G7);
        p = Math.fma(p, t, G6);
        p = Math.fma(p, t, G5);
        p = Math.fma(p, t, G4);
        p = Math.fma(p, t, G3);
        p = Math.fma(p, t, G2);
        p = Math.fma(p, t, G1);
        return Math.fma(p, t, G0);
    }

    @Override
    public void erf(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float size = size(x[i], END);
            double z = (double) size * size;
            float large = (float) (1 - complement(size) * ScalarExponentials.exp(0 - z));
            float small = (float) (erfOver(z) * size);
            out[i] = signed(size <= NEAR ? small : large, x[i]);
        }
    }

    @Override
    public void erfc(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double size = size(x[i], END);
            double sign = signed(1, x[i]);
            double tail = complement(size) * ScalarExponentials.exp(0 - size * size);
            out[i] = (float) Math.fma(tail, sign, 1 - sign);
        }
    }

    @Override
    public void gelu(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double size = size(x[i], NORMAL_END);
            double sign = signed(1, x[i]);
            double tail = complement(size * ROOT_HALF) * ScalarExponentials.exp(size * size * -0.5);
            double twice = Math.fma(tail, -sign, sign + 1);
            float result = (float) (held(x[i], -NORMAL_END, Float.POSITIVE_INFINITY) * 0.5 * twice);
            out[i] = x[i] > Float.NEGATIVE_INFINITY ? result : Float.NaN;
        }
    }
}
