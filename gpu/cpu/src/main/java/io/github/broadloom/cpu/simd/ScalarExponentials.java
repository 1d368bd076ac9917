package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarNumbers.ROUNDER;
import static io.github.broadloom.cpu.simd.ScalarNumbers.held;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;
import static io.github.broadloom.cpu.simd.ScalarNumbers.signed;
import static io.github.broadloom.cpu.simd.ScalarNumbers.size;

/**
 * Functions built on the power of e. A float is computed as a double and rounded once. With k the nearest integer to
 * x / ln 2 and r = x - k ln 2, exp(x) is 2ᵏ (1 + r p(r)), where p is (exp(r) - 1) / r: a polynomial of degree 8, within 2⁻⁴³
 * of it. Where the power itself is not wanted, it stays a quotient: exp(2h) is (h coth h + h) / (h coth h - h), and h coth h a
 * polynomial of h² within 2⁻⁴⁹; what is made of it takes one division in all, and loses nothing near zero.
 */
final class ScalarExponentials implements Exponentials {
    static final double LOG2_E = 1.4426950408889634;
    static final double LN_2 = 0.6931471805599453;

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

    /** h coth h of h², with its sign turned, by which the zeros of a difference keep the sign of h. */
    static final double[] MINUS_COTH = {
        -1.000000000000001, -0.33333333333164894, 0.02222222177307776, -0.002116360201402808, 0.00021004270402535794
    };

    /** From here on the power of e is more than the greatest float, and down to -105 more than nothing. */
    static final float HIGHEST = 90;

    static final float LOWEST = -105;

    /** From here on the hyperbolic tangent is 1 to the last place. */
    static final float FLAT = 10;

    /** e to the power of x. */
    @OfArrays
    static float exp(float x) {
        float held = held(x, LOWEST, HIGHEST);
        return (float) powerOfE(held);
    }

    /** 2 to the power of x. */
    @OfArrays
    static float exp2(float x) {
        float held = held(x, -151, 129);
        return (float) powerOfTwo(held);
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
        float held = held(x, -FLAT, FLAT);
        return (float) tangent(held);
    }

    /** exp(x) for x from -700 to 700. */
    static double powerOfE(double x) {
        double shifted = Math.fma(x, LOG2_E, ROUNDER);
        double r = Math.fma(shifted - ROUNDER, -LN_2, x);
        return scaled(Math.fma(polynomial(r, POWER), r, 1), shifted);
    }

    private static double powerOfTwo(double x) {
        double shifted = x + ROUNDER;
        double r = (x - (shifted - ROUNDER)) * LN_2;
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

    private static double tangent(double x) {
        double shifted = Math.fma(x, 2 * LOG2_E, ROUNDER);
        double h = Math.fma(shifted - ROUNDER, -0.5 * LN_2, x);
        double c = polynomial(h * h, MINUS_COTH);
        double above = above(h, shifted, c);
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
