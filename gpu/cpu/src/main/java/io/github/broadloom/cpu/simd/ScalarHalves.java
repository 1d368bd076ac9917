package io.github.broadloom.cpu.simd;

import io.github.broadloom.dtype.Float16;

/** The conversions of {@link Float16}, bit for bit; their twin is written by hand. */
final class ScalarHalves implements Halves {

    /** The values of stored float16, {@link io.github.broadloom.dtype.Float16#toFloat}. */
    @OfArrays
    static float float16ToFloat32(short x) {
        return Float16.toFloat(x);
    }

    /** The nearest float16, {@link io.github.broadloom.dtype.Float16#fromFloat}. */
    @OfArrays
    static short float32ToFloat16(float x) {
        return Float16.fromFloat(x);
    }

    /** The nearest float16 as a float, {@link io.github.broadloom.dtype.Float16#round}. */
    @OfArrays
    static float roundToFloat16(float x) {
        return Float16.round(x);
    }
}
