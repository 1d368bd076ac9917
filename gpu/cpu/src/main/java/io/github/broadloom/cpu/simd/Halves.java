package io.github.broadloom.cpu.simd;

/** The conversions of {@link io.github.broadloom.dtype.Float16}, bit for bit. */
interface Halves {
    void float16ToFloat32(short[] x, float[] out, int from, int to);

    void float32ToFloat16(float[] x, short[] out, int from, int to);

    /** Rounded to float16, as floats; may write over what it reads. */
    void roundToFloat16(float[] x, float[] out, int from, int to);
}
