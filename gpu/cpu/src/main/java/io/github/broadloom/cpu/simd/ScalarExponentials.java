package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarNumbers.FLOAT_ROUNDER;
import static io.github.broadloom.cpu.simd.ScalarNumbers.ROUNDER;
import static io.github.broadloom.cpu.simd.ScalarNumbers.held;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;
import static io.github.broadloom.cpu.simd.ScalarNumbers.signed;
import static io.github.broadloom.cpu.simd.ScalarNumbers.size;

/**
 * Functions built on the power of e. With k the nearest integer to x / ln 2 and r = x - k ln 2, exp(x) is 2ᵏ (1 + r p(r)), where p is (exp(r) - 1) / r. Where the power itself is not wanted,
 * it stays a quotient: exp(2h) is (h coth h + h) / (h coth h - h), and h coth h a polynomial of h²; what is made of it takes one division in all, and loses nothing near zero.
 *
 * <p>The powers and the hyperbolic tangent are computed as floats, of which a vector has twice as many as of doubles: at most 1.1, and tanh 2.9, units of the last place from the exact value. The others are
 * computed as doubles and rounded once, with p of degree 8, within 2⁻⁴³, and h coth h within 2⁻⁴⁹.
 */
final class ScalarExponentials implements Exponentials {
    static final double LOG2_E = 1.4426950408889634;
    static final double LN_2 = 0.6931471805599453;

    static final float FLOAT_LOG2_E = (float) LOG2_E;

    /** The natural logarithm of 2: what a float has of it, which multiples are taken off exactly, and the rest. */
    static final float LN_2_HIGH = 0.6931472f;

    static final float LN_2_LOW = -1.9046543e-9f;

    /** The bits of 1. */
    static final int ONE = 0x3f800000;

    /** p(r) */
    static final double[] POWER = {
        0.999999999999989,
        0.4999999999980006,
        0.1666666666694083,
        0.0416666668895701,
        0.008333333231733726,
        0.0013888821903963186,
        0.00019841371426444388,
        2.4876058529669708e-05,
        2.7557338663741734e-06
    };

    /** (exp(r) - 1 - r) / r² */
    static final float[] FLOAT_POWER = {0.5f, 0.16666513f, 0.041666187f, 0.008369591f, 0.0013951704f};

    /** h coth h of h², with its sign turned, by which the zeros of a difference keep the sign of h. */
    static final double[] MINUS_COTH = {
        -1.000000000000001, -0.33333333333164894, 0.02222222177307776, -0.002116360201402808, 0.00021004270402535794
    };

    static final float[] FLOAT_MINUS_COTH = {-1f, -0.33333322f, 0.022125337f};

    /** From here on the power of e is more than the greatest float, and down to -105 more than nothing. */
    static final float HIGHEST = 90;

    static final float LOWEST = -105;

    /** From here on the hyperbolic tangent is 1 to the last place. */
    static final float FLAT = 10;

    /** e to the power of x. */
    @OfArrays
    static float exp(float x) {
        return floatPowerOfE(held(x, LOWEST, HIGHEST));
    }

    /** 2 to the power of x. */
    @OfArrays
    static float exp2(float x) {
        return floatPowerOfTwo(held(x, -151, 129));
    }

    /** e to the power of x, minus one, exact near zero. */
    @OfArrays
    static float expm1(float x) {
        float held = held(x, LOWEST, HIGHEST);
        return (float) powerLessOne(held);
    }

    /** The hyperbolic sine. */
    @OfArrays
    static float sinh(float x) {
        double size = size(x, HIGHEST);
        double power = powerLessOne(size);
        return signed((float) ((power + power / (power + 1)) * 0.5), x);
    }

    /** The hyperbolic cosine. */
    @OfArrays
    static float cosh(float x) {
        double size = size(x, HIGHEST);
        double power = powerOfE(size);
        return (float) ((power + 1 / power) * 0.5);
    }

    /** The hyperbolic tangent. */
    @OfArrays
    static float tanh(float x) {
        return signed(tangent(size(x, FLAT)), x);
    }

    /** exp(x) for x from -700 to 700. */
    static double powerOfE(double x) {
        double shifted = Math.fma(x, LOG2_E, ROUNDER);
        double r = Math.fma(shifted - ROUNDER, -LN_2, x);
        return scaled(Math.fma(polynomial(r, POWER), r, 1), shifted);
    }

    /** exp(x) - 1 for x from -700 to 700. */
    private static double powerLessOne(double x) {
        double half = x * 0.5;
        double shifted = Math.fma(half, 2 * LOG2_E, ROUNDER);
        double h = Math.fma(shifted - ROUNDER, -0.5 * LN_2, half);
        double c = polynomial(h * h, MINUS_COTH);
        return above(h, shifted, c) / ((c + h) * -0.5);
    }

    /** exp(x) for x from -105 to 90. */
    static float floatPowerOfE(float x) {
        float shifted = Math.fma(x, FLOAT_LOG2_E, FLOAT_ROUNDER);
        float k = shifted - FLOAT_ROUNDER;
        float r = Math.fma(k, -LN_2_LOW, Math.fma(k, -LN_2_HIGH, x));
        return floatPower(r, shifted);
    }

    private static float floatPowerOfTwo(float x) {
        float shifted = x + FLOAT_ROUNDER;
        return floatPower((x - (shifted - FLOAT_ROUNDER)) * LN_2_HIGH, shifted);
    }

    /** exp(r) times 2ᵏ, k in the low bits of {@code shifted}: by two factors, for one alone may be more than a float. */
    private static float floatPower(float r, float shifted) {
        float power = Math.fma(polynomial(r, FLOAT_POWER), r * r, r) + 1;
        int bits = Float.floatToRawIntBits(shifted);
        int half = bits >> 1;
        return power * twoTo(half) * twoTo(bits - half);
    }

    /** 2ᵏ, k in the low nine bits. */
    private static float twoTo(int k) {
        return Float.intBitsToFloat((k << 23) + ONE);
    }

    private static float tangent(float x) {
        float shifted = Math.fma(x, 2 * FLOAT_LOG2_E, FLOAT_ROUNDER);
        float k = shifted - FLOAT_ROUNDER;
        float h = Math.fma(k, -0.5f * LN_2_LOW, Math.fma(k, -0.5f * LN_2_HIGH, x));
        float c = polynomial(h * h, FLOAT_MINUS_COTH);
        float power = twoTo(Float.floatToRawIntBits(shifted));
        float above = Math.fma(0.5f - 0.5f * power, c - h, h);
        return above / (above - (c + h));
    }

    /** (2ᵏ (h - c) + (h + c)) / 2, whose zero has the sign of h. */
    private static double above(double h, double shifted, double c) {
        return Math.fma(scaled(-0.5, shifted) + 0.5, c - h, h);
    }

    /** The number times 2ᵏ, k in the low bits of {@code shifted}. */
    private static double scaled(double number, double shifted) {
        long exponent = Double.doubleToRawLongBits(shifted) << 52;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) + exponent);
    }
}
