package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.magnitude;
import static io.github.broadloom.cpu.simd.ScalarExponentials.signed;

/** {@link Arcs} one by one. */
final class ScalarArcs implements Arcs {

    /** atan(q) / q of z = q². */
    private static double atanOver(double z) {
        double p = Math.fma(z, T15, T14);
        p = Math.fma(p, z, T13);
        p = Math.fma(p, z, T12);
        p = Math.fma(p, z, T11);
        p = Math.fma(p, z, T10);
        p = Math.fma(p, z, T9);
        p = Math.fma(p, z, T8);
        p = Math.fma(p, z, T7);
        p = Math.fma(p, z, T6);
        p = Math.fma(p, z, T5);
        p = Math.fma(p, z, T4);
        p = Math.fma(p, z, T3);
        p = Math.fma(p, z, T2);
        p = Math.fma(p, z, T1);
        return Math.fma(p, z, T0);
    }

    /** asin(y) / y of z = y². */
    private static double asinOver(double z) {
        double p = Math.fma(z, A10, A9);
        p = Math.fma(p, z, A8);
        p = Math.fma(p, z, A7);
        p = Math.fma(p, z, A6);
        p = Math.fma(p, z, A5);
        p = Math.fma(p, z, A4);
        p = Math.fma(p, z, A3);
        p = Math.fma(p, z, A2);
        p = Math.fma(p, z, A1);
        return Math.fma(p, z, A0);
    }

    /** The arc sine of the magnitude up to a half, of the root that stands for it beyond; NaN above 1. */
    private static double part(float size) {
        double wide = size;
        double z = Math.min(wide * wide, (1 - wide) * 0.5);
        return asinOver(z) * Math.sqrt(z);
    }

    @Override
    public void atan(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            int size = Float.floatToRawIntBits(magnitude(x[i]));
            int one = Float.floatToRawIntBits(1);
            double q = (double) Float.intBitsToFloat(Math.min(size, one)) / Float.intBitsToFloat(Math.max(size, one));
            double sign = size > one ? -1 : 1;
            double part = atanOver(q * q) * q;
            double turn = Math.fma(sign, -0.5 * HALF_PI, 0.5 * HALF_PI);
            out[i] = signed((float) Math.fma(part, sign, turn), x[i]);
        }
    }

    @Override
    public void asin(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float size = magnitude(x[i]);
            double factor = size > 0.5f ? -2 : 1;
            double turn = Math.fma(factor, -HALF_PI / 3, HALF_PI / 3);
            float result = signed((float) Math.fma(part(size), factor, turn), x[i]);
            out[i] = size <= 1 ? result : Float.NaN;
        }
    }

    @Override
    public void acos(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float size = magnitude(x[i]);
            float factor = size > 0.5f ? 2 : -1;
            float quarters = size > 0.5f ? x[i] < 0 ? 2 : 0 : 1;
            double sense = Float.intBitsToFloat(
                    Float.floatToRawIntBits(factor) ^ Float.floatToRawIntBits(x[i]) & Integer.MIN_VALUE);
            float result = (float) Math.fma(part(size), sense, quarters * HALF_PI);
            out[i] = size <= 1 ? result : Float.NaN;
        }
    }
}
