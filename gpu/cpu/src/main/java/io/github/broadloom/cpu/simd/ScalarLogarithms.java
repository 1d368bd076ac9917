package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.LN_2;
import static io.github.broadloom.cpu.simd.ScalarExponentials.LOG2_E;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;
import static io.github.broadloom.cpu.simd.ScalarNumbers.signed;

/**
 * Logarithms. A float is computed as a double and rounded once. With k the exponent for which m = x / 2ᵏ lies between √½ and √2, the
 * natural logarithm is k ln 2 + log(m), and log(m) = s p(s²), s = (m - 1) / (m + 1): a polynomial of degree 5, within 2⁻⁴⁵. A logarithm to
 * another base is the sum of both, each times its own constant.
 */
final class ScalarLogarithms implements Logarithms {
    static final double LOG10_E = 0.4342944819032518;
    static final double LOG10_2 = 0.3010299956639812;

    static final double[] LOGARITHM = {
        1.9999999999999465,
        0.6666666667971697,
        0.3999999485128195,
        0.28572170291416277,
        0.2217407789093128,
        0.19610582827672335
    };

    /** The bits of 1, and how many more than those of √½. */
    static final long ONE = 0x3FF0000000000000L;

    static final long ABOVE_ROOT_HALF = ONE - 0x3FE6A09E667F3BCDL;

    /** The bits of 2⁵²: an integer below it, put into the low bits, is added. */
    static final long INTEGER = 0x4330000000000000L;

    static final double INTEGER_BIAS = 0x1p52 + 1023;

    /** The natural logarithm. */
    @OfArrays
    static float log(float x) {
        return logarithm(x, LN_2, 1);
    }

    /** The logarithm to base 2. */
    @OfArrays
    static float log2(float x) {
        return logarithm(x, 1, LOG2_E);
    }

    /** The logarithm to base 10. */
    @OfArrays
    static float log10(float x) {
        return logarithm(x, LOG10_2, LOG10_E);
    }

    /** The natural logarithm of 1 + x, exact near zero. */
    @OfArrays
    static float log1p(float x) {
        double f = rest(x);
        double log = logarithm(x, f);
        return ended(signed((float) log, x), x, -1);
    }

    /** A logarithm as a sum: of the exponent, times that of 2, and the natural one of the rest, times that of e. */
    private static float logarithm(float x, double ofTwo, double ofE) {
        long bits = Double.doubleToRawLongBits(x);
        long exponent = exponent(bits);
        double log = ofRest(normal(bits, exponent) - 1);
        return ended((float) Math.fma(power(exponent), ofTwo, log * ofE), x, 0);
    }

    /** What the logarithms are where there is none: -inf where x is least, NaN below, and infinity of infinity. */
    private static float ended(float result, float x, float least) {
        float bounded = x == Float.POSITIVE_INFINITY ? x : result;
        bounded = x == least ? Float.NEGATIVE_INFINITY : bounded;
        return x >= least ? bounded : Float.NaN;
    }

    /** 1 + x for x above -1, divided by the power of two that brings it nearest to 1, and less 1. */
    static double rest(double x) {
        double sum = x + 1;
        double lost = x - (sum - 1);
        long bits = Double.doubleToRawLongBits(sum);
        long exponent = exponent(bits);
        double scale = Double.longBitsToDouble(2046 - exponent << 52);
        return Math.fma(lost, scale, normal(bits, exponent) - 1);
    }

    /** log(1 + x) of its {@link #rest}. */
    static double logarithm(double x, double rest) {
        long exponent = exponent(Double.doubleToRawLongBits(x + 1));
        return Math.fma(power(exponent), LN_2, ofRest(rest));
    }

    /** The exponent, biased by 1023, of a positive normal number: that for which the rest is nearest to 1. */
    private static long exponent(long bits) {
        return bits + ABOVE_ROOT_HALF >>> 52;
    }

    /** The exponent without its bias. */
    private static double power(long exponent) {
        return Double.longBitsToDouble(exponent | INTEGER) - INTEGER_BIAS;
    }

    /** The number divided by the power of two. */
    private static double normal(long bits, long exponent) {
        return Double.longBitsToDouble(bits - (exponent << 52) + ONE);
    }

    /** log(1 + f) for 1 + f between √½ and √2. */
    private static double ofRest(double f) {
        double s = f / (f + 2);
        return polynomial(s * s, LOGARITHM) * s;
    }
}
