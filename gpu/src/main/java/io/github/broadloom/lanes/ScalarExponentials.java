package io.github.broadloom.lanes;

/** {@link Exponentials} one by one. */
final class ScalarExponentials implements Exponentials {

    /** exp(x) for x from -700 to 700. */
    static double exp(double x) {
        double shifted = Math.fma(x, LOG2_E, ROUNDER);
        double r = Math.fma(shifted - ROUNDER, -LN_2, x);
        return scaled(Math.fma(r, q(r), 1), shifted);
    }

    /** exp(x) - 1 for x from -700 to 700. */
    static double expm1(double x) {
        double shifted = Math.fma(x, LOG2_E, ROUNDER);
        double r = Math.fma(shifted - ROUNDER, -LN_2, x);
        double power = scaled(1, shifted);
        return Math.fma(power, r * q(r), power - 1);
    }

    /** The number times 2ᵏ, k in the low bits of {@code shifted}. */
    private static double scaled(double number, double shifted) {
        long exponent = Double.doubleToRawLongBits(shifted) << 52;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) + exponent);
    }

    private static double q(double r) {
        double p = Math.fma(r, Q8, Q7);
        p = Math.fma(p, r, Q6);
        p = Math.fma(p, r, Q5);
        p = Math.fma(p, r, Q4);
        p = Math.fma(p, r, Q3);
        p = Math.fma(p, r, Q2);
        p = Math.fma(p, r, Q1);
        return Math.fma(p, r, Q0);
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
            double power = held(x[i], -151, 129);
            double shifted = power + ROUNDER;
            double r = (power - (shifted - ROUNDER)) * LN_2;
            out[i] = (float) scaled(Math.fma(r, q(r), 1), shifted);
        }
    }

    @Override
    public void expm1(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = signed((float) expm1(held(x[i], LOWEST, HIGHEST)), x[i]);
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
            double size = size(x[i], 10); // from where it is 1 to the last place
            double u = expm1(size + size);
            out[i] = signed((float) (u / (u + 2)), x[i]);
        }
    }

    /** The number with the sign bit of another, where it has none itself. */
    static float signed(float number, float sign) {
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(number) | Float.floatToRawIntBits(sign) & Integer.MIN_VALUE);
    }
}
