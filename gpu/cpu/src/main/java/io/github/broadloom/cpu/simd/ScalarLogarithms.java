package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.Exponentials.LN_2;
import static io.github.broadloom.cpu.simd.Exponentials.LOG2_E;

/** {@link Logarithms} one by one. */
final class ScalarLogarithms implements Logarithms {

    /** The exponent, biased by 1023, of a positive normal number: that for which the rest is nearest to 1. */
    private static long exponent(double x) {
        return Double.doubleToRawLongBits(x) + ABOVE_ROOT_HALF >>> 52;
    }

    /** The exponent without its bias. */
    private static double power(long exponent) {
        return Double.longBitsToDouble(exponent | INTEGER) - INTEGER_BIAS;
    }

    /** The number divided by the power of two. */
    private static double rest(double x, long exponent) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(x) - (exponent << 52) + ONE);
    }

    /** log(1 + f) for 1 + f between √½ and √2. */
    private static double logOfRest(double f) {
        double s = f / (f + 2);
        double z = s * s;
        double p = Math.fma(z, P5, P4);
        p = Math.fma(p, z, P3);
        p = Math.fma(p, z, P2);
        p = Math.fma(p, z, P1);
        return Math.fma(p, z, P0) * s;
    }

    /** log(1 + x) for x above -1. */
    static double log1p(double x) {
        double sum = x + 1;
        double lost = x - (sum - 1);
        long exponent = exponent(sum);
        double scale = Double.longBitsToDouble(2046 - exponent << 52);
        double f = Math.fma(lost, scale, rest(sum, exponent) - 1);
        return Math.fma(power(exponent), LN_2, logOfRest(f));
    }

    /** A logarithm as a sum: of the exponent, times that of 2, and the natural one of the rest, times that of e. */
    private static float logarithm(double ofTwo, double ofE, float x) {
        long exponent = exponent(x);
        double log = logOfRest(rest(x, exponent) - 1);
        return ended((float) Math.fma(power(exponent), ofTwo, log * ofE), x);
    }

    /** What the logarithms are where there is none: -inf of 0, NaN below, and infinity of infinity. */
    private static float ended(float result, float x) {
        float bounded = x == Float.POSITIVE_INFINITY ? x : result;
        bounded = x == 0 ? Float.NEGATIVE_INFINITY : bounded;
        bounded = x < 0 ? Float.NaN : bounded;
        return Float.isNaN(x) ? Float.NaN : bounded;
    }

    @Override
    public void log(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = logarithm(LN_2, 1, x[i]);
        }
    }

    @Override
    public void log2(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = logarithm(1, LOG2_E, x[i]);
        }
    }

    @Override
    public void log10(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = logarithm(LOG10_2, LOG10_E, x[i]);
        }
    }

    @Override
    public void log1p(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float result = ScalarExponentials.signed((float) log1p((double) x[i]), x[i]);
            result = x[i] == Float.POSITIVE_INFINITY ? x[i] : result;
            result = x[i] == -1 ? Float.NEGATIVE_INFINITY : result;
            result = x[i] < -1 ? Float.NaN : result;
            out[i] = Float.isNaN(x[i]) ? Float.NaN : result;
        }
    }
}
