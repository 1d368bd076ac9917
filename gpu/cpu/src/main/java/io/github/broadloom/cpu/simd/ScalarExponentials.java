package io.github.broadloom.cpu.simd;

/** {@link Exponentials} one by one. */
final class ScalarExponentials implements Exponentials {

    /** exp(x) for x from -700 to 700. */
    static double exp(double x) {
        double shifted = Math.fma(x, LOG2_E, ROUNDER);
        return power(Math.fma(shifted - ROUNDER, -LN_2, x), shifted);
    }

    /** exp(r) times 2ᵏ, k in the low bits of {@code shifted}. */
    private static double power(double r, double shifted) {
        double p = Math.fma(r, P8, P7);
        p = Math.fma(p, r, P6);
        p = Math.fma(p, r, P5);
        p = Math.fma(p, r, P4);
        p = Math.fma(p, r, P3);
        p = Math.fma(p, r, P2);
        p = Math.fma(p, r, P1);
        p = Math.fma(p, r, P0);
        return scaled(Math.fma(p, r, 1), shifted);
    }

    /** exp(x) - 1 for x from -700 to 700. */
    private static double expm1(double x) {
        double half = x * 0.5;
        double shifted = Math.fma(half, 2 * LOG2_E, ROUNDER);
        double h = Math.fma(shifted - ROUNDER, -0.5 * LN_2, half);
        double c = minusCoth(h);
        return above(h, shifted, c) / ((c + h) * -0.5);
    }

    private static double tanh(double x) {
        double shifted = Math.fma(x, 2 * LOG2_E, ROUNDER);
        double h = Math.fma(shifted - ROUNDER, -0.5 * LN_2, x);
        double c = minusCoth(h);
        double above = above(h, shifted, c);
        return above / (above - (c + h));
    }

    /** -h coth(h) */
    private static double minusCoth(double h) {
        double z = h * h;
        double p = Math.fma(z, C4, C3);
        p = Math.fma(p, z, C2);
        p = Math.fma(p, z, C1);
        return Math.fma(p, z, C0);
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

    /** The number held between bounds; NaN stays. */
    static float held(float x, float lowest, float highest) {
        float above = x < lowest ? lowest : x;
        return above > highest ? highest : above;
    }

    /** The magnitude, at most a bound; NaN stays. */
    static float size(float x, float highest) {
        float size = magnitude(x);
        return size > highest ? highest : size;
    }

    /** The number without its sign bit; {@link Math#abs} may leave that of a NaN. */
    static float magnitude(float x) {
        return Float.intBitsToFloat(Float.floatToRawIntBits(x) & Integer.MAX_VALUE);
    }

    @Override
    public void exp(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) exp(held(x[i], LOWEST, HIGHEST));
        }
    }

    @Override
    public void exp2(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double exponent = held(x[i], -151, 129);
            double shifted = exponent + ROUNDER;
            double r = (exponent - (shifted - ROUNDER)) * LN_2;
            out[i] = (float) power(r, shifted);
        }
    }

    @Override
    public void expm1(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) expm1(held(x[i], LOWEST, HIGHEST));
        }
    }

    @Override
    public void sinh(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double u = expm1(size(x[i], HIGHEST));
            out[i] = signed((float) (0.5 * (u + u / (u + 1))), x[i]);
        }
    }

    @Override
    public void cosh(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double power = exp(size(x[i], HIGHEST));
            out[i] = (float) (0.5 * (power + 1 / power));
        }
    }

    @Override
    public void tanh(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) tanh(held(x[i], -FLAT, FLAT));
        }
    }

    /** The number with the sign bit of another, where it has none itself. */
    static float signed(float number, float sign) {
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(number) | Float.floatToRawIntBits(sign) & Integer.MIN_VALUE);
    }
}
