package io.github.broadloom.codegen;

import io.github.broadloom.dtype.Float16;

/** Conversions that rendered kernels call, beside those of {@link io.github.broadloom.dtype}. */
public final class Conversions {

    private Conversions() {}

    /** To float16, as {@link Float16#fromDouble} does. */
    public static float roundToHalf(double value) {
        return Float16.toFloat(Float16.fromDouble(value));
    }
}
