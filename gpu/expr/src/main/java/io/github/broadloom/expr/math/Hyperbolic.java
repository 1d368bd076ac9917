package io.github.broadloom.expr.math;

/** The inverse hyperbolic functions of doubles, within four units of the last place. */
public final class Hyperbolic {
    private static final double LOG_2 = 0.6931471805599453;

    /** From here on x² + 1 and x² are one double. */
    private static final double LARGE = 0x1p28;

    private Hyperbolic() {}

    /** The inverse hyperbolic sine: odd, and itself near zero. */
    public static double asinh(double x) {
        double size = Math.abs(x);
        if (size >= LARGE) {
            return Math.copySign(Math.log(size) + LOG_2, x);
        }
        double square = size * size;
        return Math.copySign(Math.log1p(size + square / (1 + Math.sqrt(1 + square))), x);
    }

    /** The inverse hyperbolic cosine; NaN below 1. */
    public static double acosh(double x) {
        if (x >= LARGE) {
            return Math.log(x) + LOG_2;
        }
        if (x < 1) {
            return Double.NaN;
        }
        double above = x - 1;
        return Math.log1p(above + Math.sqrt(above * (above + 2)));
    }

    /** The inverse hyperbolic tangent: odd, infinite at 1, NaN beyond. */
    public static double atanh(double x) {
        double size = Math.abs(x);
        return Math.copySign(0.5 * Math.log1p(2 * size / (1 - size)), x);
    }
}
