package io.github.broadloom.expr.math;

/**
 * The error function of doubles and its complement. The former within about two units of the last place: Taylor's
 * series at zero up to 1, then series around centres half a unit apart, and 1 from 6 on, where a double cannot tell the
 * difference. The coefficients follow from the recurrences below; the values at the centres were computed to 40 digits
 * from the series at zero.
 */
public final class ErrorFunction {
    private static final double TWO_OVER_ROOT_PI = 1.1283791670955126;
    private static final double ROOT_HALF = 0.7071067811865476;
    private static final int TERMS = 20;
    private static final double[] AT_ZERO = seriesAtZero();
    private static final double[] AT_CENTRE = {
        0.9229001282564582301, 0.9866716712191824438,
        0.9985372834133188483, 0.9998993780778803632,
        0.9999956972205363249, 0.9999998862727434302,
        0.9999999981494258626, 0.9999999999815149523,
        0.9999999999998868969, 0.9999999999999995768
    };
    private static final double[][] AROUND_CENTRE = seriesAroundCentres();

    /** Where t below runs from and to, as {@code [0.5, 28]} does, moved to [-1, 1]. */
    private static final double SCALED_MIDDLE = (25.0 / 31 - 5.0 / 7) / 2;

    private static final double SCALED_STRETCH = 2 / (25.0 / 31 + 5.0 / 7);

    /** (x + 3) exp(x²) erfc(x) as a Chebyshev series of t; computed with 50 digits. */
    private static final double[] SCALED = {
        1.2073394080159194,
        -0.7311765461706531,
        0.17753428624414713,
        -0.033780174073705246,
        0.004710830529139655,
        -0.0003867230743141926,
        -5.564836531360192e-06,
        5.8357064672740725e-06,
        -4.384802199712824e-07,
        -6.503325436525308e-08,
        1.1563991349809652e-08,
        7.651872655599847e-10,
        -2.59342866843946e-10,
        -1.2346714305301898e-11,
        5.978487008503378e-12,
        3.320104367955926e-13,
        -1.4363278283529667e-13,
        -1.2376396951866355e-14,
        3.4239985630336394e-15,
        4.957789096382767e-16,
        -7.222931674347037e-17,
        -1.9041481389433392e-17
    };

    private ErrorFunction() {}

    /** erf(x), odd, from -1 to 1; NaN of NaN. */
    public static double erf(double x) {
        double size = Math.abs(x);
        if (size < 1) {
            return x * polynomial(AT_ZERO, x * x);
        }
        if (size >= 6) {
            return Math.signum(x);
        }
        if (Double.isNaN(size)) {
            return x;
        }
        int piece = (int) (2 * size) - 2;
        double h = size - centre(piece);
        return Math.copySign(AT_CENTRE[piece] + h * polynomial(AROUND_CENTRE[piece], h), x);
    }

    /** 1 - erf(x), within four units of the last place wherever it is a normal number. */
    public static double erfc(double x) {
        if (x < 0.5) {
            return 1 - erf(x);
        }
        double square = x * x;
        return x > 28 ? 0 : decay(square, Math.fma(x, x, -square)) * scaled(x);
    }

    /** erfc(x / √2), as exact as {@link #erfc} although x / √2 is no double. */
    static double erfcOfRoot(double x) {
        double root = x * ROOT_HALF;
        if (root < 0.5) {
            return 1 - erf(root);
        }
        double square = x * x;
        return root > 28 ? 0 : decay(square / 2, Math.fma(x, x, -square) / 2) * scaled(root);
    }

    /** exp(-(square + rest)), where the rest is what a double leaves off the square. */
    private static double decay(double square, double rest) {
        return Math.exp(-square) * (1 - rest);
    }

    /** exp(x²) erfc(x) for x from 0.5 to 28: smooth in t = (x - 3) / (x + 3), as Shepherd and Laframboise found. */
    private static double scaled(double x) {
        double t = (x - 3) / (x + 3);
        return Chebyshev.sum(SCALED, (t - SCALED_MIDDLE) * SCALED_STRETCH) / (x + 3);
    }

    private static double centre(int piece) {
        return 1.25 + 0.5 * piece;
    }

    private static double polynomial(double[] coefficients, double at) {
        double sum = coefficients[TERMS - 1];
        for (int n = TERMS - 2; n >= 0; n--) {
            sum = sum * at + coefficients[n];
        }
        return sum;
    }

    /** erf(x) = x · Σ cₙ x²ⁿ with cₙ = 2/√π · (-1)ⁿ / (n! (2n + 1)). */
    private static double[] seriesAtZero() {
        double[] coefficients = new double[TERMS];
        double factor = TWO_OVER_ROOT_PI;
        for (int n = 0; n < TERMS; n++) {
            coefficients[n] = factor / (2 * n + 1);
            factor = -factor / (n + 1);
        }
        return coefficients;
    }

    /**
     * erf(c + h) = erf(c) + h · Σ gₙ/(n + 1) hⁿ, where g is the series of the derivative g = 2/√π exp(-(c + h)²); from
     * g' = -2 (c + h) g follows (n + 1) gₙ₊₁ = -2 c gₙ - 2 gₙ₋₁.
     */
    private static double[][] seriesAroundCentres() {
        double[][] series = new double[AT_CENTRE.length][TERMS];
        for (int piece = 0; piece < series.length; piece++) {
            double c = centre(piece);
            double before = 0;
            double g = TWO_OVER_ROOT_PI * Math.exp(-c * c);
            for (int n = 0; n < TERMS; n++) {
                series[piece][n] = g / (n + 1);
                double next = -2 * (c * g + before) / (n + 1);
                before = g;
                g = next;
            }
        }
        return series;
    }
}
