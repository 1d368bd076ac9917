package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.Exponentials.ROUNDER;
import static io.github.broadloom.cpu.simd.ScalarExponentials.magnitude;

/** {@link Angles} one by one. */
final class ScalarAngles implements Angles {

    /** sin(r) / r. */
    private static double sineOver(double r) {
        double z = r * r;
        double p = Math.fma(z, S6, S5);
        p = Math.fma(p, z, S4);
        p = Math.fma(p, z, S3);
        p = Math.fma(p, z, S2);
        p = Math.fma(p, z, S1);
        return Math.fma(p, z, S0);
    }

    private static double cosine(double r) {
        double z = r * r;
        double p = Math.fma(z, C6, C5);
        p = Math.fma(p, z, C4);
        p = Math.fma(p, z, C3);
        p = Math.fma(p, z, C2);
        p = Math.fma(p, z, C1);
        return Math.fma(p, z, C0);
    }

    /** The number with its sign turned where the integer in the low bits of another is odd. */
    private static double turned(double number, double shifted) {
        long sign = Double.doubleToRawLongBits(shifted) << 63;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) ^ sign);
    }

    @Override
    public void sin(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) (magnitude(x[i]) >= FAR ? StrictMath.sin(x[i]) : sin(x[i]));
        }
    }

    private static double sin(double x) {
        double shifted = Math.fma(x, INVERSE_PI, ROUNDER);
        double k = shifted - ROUNDER;
        double r = Math.fma(k, -PI_REST, Math.fma(k, -PI, x));
        return turned(sineOver(r) * r, shifted);
    }

    @Override
    public void cos(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) (magnitude(x[i]) >= FAR ? StrictMath.cos(x[i]) : cos(x[i]));
        }
    }

    private static double cos(double x) {
        double shifted = Math.fma(x, INVERSE_PI, -0.5) + ROUNDER;
        double k = shifted - ROUNDER + 0.5;
        double r = Math.fma(k, PI_REST, Math.fma(k, PI, -x));
        return turned(sineOver(r) * r, shifted);
    }

    @Override
    public void tan(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) (magnitude(x[i]) >= FAR ? StrictMath.tan(x[i]) : tan(x[i]));
        }
    }

    private static double tan(double x) {
        double shifted = Math.fma(x, TWO_OVER_PI, ROUNDER);
        double k = shifted - ROUNDER;
        double r = Math.fma(k, -0.5 * PI_REST, Math.fma(k, -0.5 * PI, x));
        long sine = Double.doubleToRawLongBits(sineOver(r) * r);
        long cosine = Double.doubleToRawLongBits(cosine(r));
        long odd = Double.doubleToRawLongBits(shifted) << 63;
        long swapped = (sine ^ cosine) & odd >> 63;
        return Double.longBitsToDouble(sine ^ swapped ^ odd) / Double.longBitsToDouble(cosine ^ swapped);
    }
}
