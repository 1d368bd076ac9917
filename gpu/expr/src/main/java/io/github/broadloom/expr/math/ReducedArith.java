package io.github.broadloom.expr.math;

import io.github.broadloom.dtype.ReducedFloat;

/**
 * Where PyTorch's CPU kernels compute with float16 and the like itself, so that every step is rounded; the values are kept in
 * floats.
 */
public final class ReducedArith {
    private ReducedArith() {}

    /** {@link Arith#floorDivide(float, float)} with every step rounded. */
    public static float floorDivide(ReducedFloat format, float a, float b) {
        if (b == 0) {
            return a / b;
        }
        float mod = a % b; // exact
        float quotient = format.round(format.round(a - mod) / b);
        if (mod != 0 && (b < 0) != (mod < 0)) {
            quotient = format.round(quotient - 1);
        }
        if (quotient == 0) {
            return Math.copySign(0f, a / b);
        }
        float floor = (float) Math.floor(quotient);
        return format.round(quotient - floor) > 0.5f ? format.round(floor + 1) : floor;
    }

    /** {@link Math#nextAfter(float, double)} among the values of a format; {@code a} is one of them. */
    public static float nextAfter(ReducedFloat format, float a, float b) {
        if (a == b) {
            return b;
        }
        if (Float.isNaN(a) || Float.isNaN(b)) {
            return Float.NaN;
        }
        if (a == 0) {
            return Math.copySign(format.toFloat((short) 1), b);
        }
        int away = (b > a) == (a > 0) ? 1 : -1;
        return format.toFloat((short) (format.fromFloat(a) + away));
    }
}
