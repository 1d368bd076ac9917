package io.github.broadloom.expr;

import io.github.broadloom.dtype.Float16;

/**
 * Where PyTorch's CPU kernels compute with float16 itself, so that every step is rounded; the values are kept in
 * floats.
 */
public final class HalfArith {
    private HalfArith() {}

    /** {@link Arith#floorDivide(float, float)} with every step rounded to float16. */
    public static float floorDivide(float a, float b) {
        if (b == 0) {
            return a / b;
        }
        float mod = a % b; // exact
        float quotient = Float16.round(Float16.round(a - mod) / b);
        if (mod != 0 && (b < 0) != (mod < 0)) {
            quotient = Float16.round(quotient - 1);
        }
        if (quotient == 0) {
            return Math.copySign(0f, a / b);
        }
        float floor = (float) Math.floor(quotient);
        return Float16.round(quotient - floor) > 0.5f ? Float16.round(floor + 1) : floor;
    }
}
