package io.github.broadloom.codegen;

import io.github.broadloom.dtype.Float16;

/**
 * Conversions that rendered kernels call. A floating number becomes an integer as C compiled for x86 does it: what the
 * processor's conversion cannot represent, NaN too, becomes the smallest integer.
 */
public final class Conversions {

    private Conversions() {}

    /** To int64; also, of its low eight bits, to uint8. */
    public static long truncate64(double value) {
        return value >= -0x1p63 && value < 0x1p63 ? (long) value : Long.MIN_VALUE;
    }

    /** To int32; also, of its low bits, to int16 and int8. */
    public static int truncate32(double value) {
        return value > -0x1p31 - 1 && value < 0x1p31 ? (int) value : Integer.MIN_VALUE;
    }

    /** To float16, as {@link Float16#fromDouble} does. */
    public static float roundToHalf(double value) {
        return Float16.toFloat(Float16.fromDouble(value));
    }
}
