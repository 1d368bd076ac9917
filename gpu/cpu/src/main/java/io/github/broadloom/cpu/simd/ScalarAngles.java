package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarNumbers.ROUNDER;
import static io.github.broadloom.cpu.simd.ScalarNumbers.magnitude;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;

/**
 * Functions of angles. A float is computed as a double and rounded once. The sine comes from the distance r to the nearest multiple of π,
 * the cosine from that to the nearest odd multiple of π / 2, by an odd polynomial within 2⁻⁴³; the multiple is taken off in two parts of π, which is
 * exact enough for every float below {@link #FAR}. What is farther is left to {@link StrictMath}.
 */
final class ScalarAngles implements Angles {
    static final float FAR = 0x1p27f;
    static final double INVERSE_PI = 0.3183098861837907;
    static final double TWO_OVER_PI = 0.6366197723675814;

    /** π, and what a double leaves off it. */
    static final double PI = 3.141592653589793;

    static final double PI_REST = 1.2246467991473532e-16;

    /** sin(r) / r of r², up to π / 2. */
    static final double[] SINE = {
        0.9999999999999375,
        -0.16666666666432053,
        0.008333333318751064,
        -0.00019841266408898313,
        2.755693169612219e-06,
        -2.502950993072763e-08,
        1.540104112737501e-10
    };

    /** cos(r) of r², up to π / 4. */
    static final double[] COSINE = {
        0.9999999999999999,
        -0.4999999999999915,
        0.04166666666645377,
        -0.0013888888868706446,
        2.4801578143104746e-05,
        -2.755517714953599e-07,
        2.0627398922520865e-09
    };

    /** The sine of x in radians. */
    @OfArrays
    static float sin(float x) {
        if (magnitude(x) >= FAR) {
            return (float) StrictMath.sin(x);
        }
        return (float) nearSine(x);
    }

    /** The cosine of x in radians. */
    @OfArrays
    static float cos(float x) {
        if (magnitude(x) >= FAR) {
            return (float) StrictMath.cos(x);
        }
        return (float) nearCosine(x);
    }

    /** The tangent of x in radians. */
    @OfArrays
    static float tan(float x) {
        double sine = sine(rest(x, quarters(x)));
        if (magnitude(x) >= FAR) {
            return (float) StrictMath.tan(x);
        }
        return (float) tangent(x, sine);
    }

    private static double nearSine(double x) {
        double shifted = Math.fma(x, INVERSE_PI, ROUNDER);
        double k = shifted - ROUNDER;
        return turned(sine(Math.fma(k, -PI_REST, Math.fma(k, -PI, x))), shifted);
    }

    private static double nearCosine(double x) {
        double shifted = Math.fma(x, INVERSE_PI, -0.5) + ROUNDER;
        double k = shifted - ROUNDER + 0.5;
        return turned(sine(Math.fma(k, PI_REST, Math.fma(k, PI, -x))), shifted);
    }

    /** The nearest multiple of π / 2, as an integer in the low bits. */
    private static double quarters(double x) {
        return Math.fma(x, TWO_OVER_PI, ROUNDER);
    }

    /** x less that multiple. */
    private static double rest(double x, double quarters) {
        double k = quarters - ROUNDER;
        return Math.fma(k, -0.5 * PI_REST, Math.fma(k, -0.5 * PI, x));
    }

    private static double sine(double r) {
        return polynomial(r * r, SINE) * r;
    }

    /** The quotient of the sine and the cosine of r, or where the quarters are odd, of the cosine and the sine with its sign turned. */
    private static double tangent(double x, double sineOfRest) {
        double quarters = quarters(x);
        double r = rest(x, quarters);
        long sine = Double.doubleToRawLongBits(sineOfRest);
        long cosine = Double.doubleToRawLongBits(polynomial(r * r, COSINE));
        long odd = Double.doubleToRawLongBits(quarters) << 63;
        long swapped = (sine ^ cosine) & odd >> 63;
        return Double.longBitsToDouble(sine ^ swapped ^ odd) / Double.longBitsToDouble(cosine ^ swapped);
    }

    /** The number with its sign turned where the integer in the low bits of another is odd. */
    private static double turned(double number, double shifted) {
        long sign = Double.doubleToRawLongBits(shifted) << 63;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) ^ sign);
    }
}
