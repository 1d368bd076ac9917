package io.github.broadloom.expr.math;

/** Functions of doubles that the kernels call and {@link Math} does not have. */
public final class SpecialFunctions {
    private static final double LOG_2 = 0.693147180559945309417;

    private SpecialFunctions() {}

    /** 2 to the power of a. */
    public static double exp2(double a) {
        return Math.pow(2, a);
    }

    /** The logarithm to base 2, exact for powers of 2: the exponent is taken off before the logarithm. */
    public static double log2(double a) {
        if (!(a > 0) || a == Double.POSITIVE_INFINITY) {
            return Math.log(a);
        }
        double scaled = a < Double.MIN_NORMAL ? a * 0x1p54 : a;
        int exponent = Math.getExponent(scaled);
        double mantissa = Math.scalb(scaled, -exponent);
        if (mantissa > 1.4142135623730951) { // keeps the logarithm small against the exponent, and exact near 1
            mantissa *= 0.5;
            exponent++;
        }
        return (a < Double.MIN_NORMAL ? exponent - 54 : exponent) + Math.log(mantissa) / LOG_2;
    }

    /** sin(πx), with an exact reduction: 0 at every integer. */
    static double sinPi(double x) {
        double turn = x - 2 * Math.rint(x / 2);
        double size = Math.abs(turn);
        double fromAxis = size > 0.5 ? 1 - size : size;
        double sine = fromAxis > 0.25 ? Math.cos(Math.PI * (0.5 - fromAxis)) : Math.sin(Math.PI * fromAxis);
        return Math.copySign(sine, turn);
    }

    /** sin(πx) / (πx): 1 at zero, 0 at the other integers. */
    public static double sinc(double x) {
        return x == 0 ? 1 : sinPi(x) / (Math.PI * x);
    }

    /** log(x / (1 - x)): from the distance to a half, which is exact, where the quotient is near one. */
    public static double logit(double x) {
        boolean nearHalf = x > 0.25 && x < 0.75;
        return nearHalf ? Math.log1p((2 * x - 1) / (1 - x)) : Math.log(x / (1 - x));
    }

    /** a log(b): NaN where b is, else 0 where a is. */
    public static double xlogy(double a, double b) {
        if (Double.isNaN(b)) {
            return b;
        }
        return a == 0 ? 0 : a * Math.log(b);
    }

    /** log(exp(a) + exp(b)); of equal infinities, that one. */
    public static double logaddexp(double a, double b) {
        return a == b ? a + LOG_2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
    }

    /** log2(2ᵃ + 2ᵇ); of equal infinities, that one. */
    public static double logaddexp2(double a, double b) {
        return a == b ? a + 1 : Math.max(a, b) + Math.log1p(exp2(-Math.abs(a - b))) / LOG_2;
    }
}
