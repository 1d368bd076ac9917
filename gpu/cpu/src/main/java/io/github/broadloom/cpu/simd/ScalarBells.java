package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.powerOfE;
import static io.github.broadloom.cpu.simd.ScalarNumbers.magnitude;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;
import static io.github.broadloom.cpu.simd.ScalarNumbers.signed;
import static io.github.broadloom.cpu.simd.ScalarNumbers.size;

/**
 * The error function and what is made of it. A float is computed as a double and rounded once. The complement of erf is exp(-x²) g(t) / (x + 4) with t = (x - 4) / (x + 4), smooth as Shepherd and Laframboise found: a polynomial within
 * 2⁻⁴⁴ for x from 0 to 10.4.
 */
final class ScalarBells implements Bells {
    /** erf(x) / x of x², near 0. */
    static final double[] NEAR_ZERO = {
        1.1283791670955126, -0.3761263890318375, 0.11283791670955126, -0.02686617064513125
    };

    /** Up to here the series at 0 is of four terms. */
    static final float NEAR = 0x1p-5f;

    static final double[] G = {
        1.0959956610004498,
        -0.976548729080954,
        0.7732087022778023,
        -0.5408538313059609,
        0.33085158726382446,
        -0.17401093774326143,
        0.07638152599588116,
        -0.026370039485281573,
        0.006111965587397266,
        -0.0002811194052879245,
        -0.00045474237064413296,
        0.00017764377246087958,
        -3.781217953839526e-06,
        -2.057337726817969e-05,
        3.55697929421991e-06,
        2.062141756316161e-06
    };

    static final double ROOT_HALF = 0.7071067811865476;

    /** From here on a float cannot tell the complement from 0. */
    static final float END = 10.3f;

    /** The same for the normal distribution function. */
    static final float NORMAL_END = 14.5f;

    /** The error function. */
    @OfArrays
    static float erf(float x) {
        double size = size(x, END);
        double power = powerOfE(0 - size * size);
        double tail = complement(size) * power;
        return signed(magnitude(x) <= NEAR ? nearZero(magnitude(x)) : (float) (1 - tail), x);
    }

    /** One minus the error function, exact where that is near one. */
    @OfArrays
    static float erfc(float x) {
        double size = size(x, END);
        double power = powerOfE(0 - size * size);
        double tail = complement(size) * power;
        return (float) complement(tail, signed(1, x));
    }

    /** x times the normal distribution function at it. */
    @OfArrays
    static float gelu(float x) {
        double size = size(x, NORMAL_END);
        double power = powerOfE(size * size * -0.5);
        double tail = complement(size * ROOT_HALF) * power;
        return gelu(x, tail, signed(1, x));
    }

    private static float nearZero(double x) {
        return (float) (polynomial(x * x, NEAR_ZERO) * x);
    }

    /** exp(x²) erfc(x). */
    private static double complement(double x) {
        double t = (x - 4) / (x + 4);
        return polynomial(t, G) / (x + 4);
    }

    /** What erfc is on either side of 0, by that on the right. */
    private static double complement(double tail, double sign) {
        return Math.fma(tail, sign, 1 - sign);
    }

    private static float gelu(float x, double tail, double sign) {
        double twice = Math.fma(tail, -sign, sign + 1);
        double half = (x < -NORMAL_END ? -NORMAL_END : x) * 0.5;
        float result = (float) (half * twice);
        return x > Float.NEGATIVE_INFINITY ? result : Float.NaN;
    }
}
