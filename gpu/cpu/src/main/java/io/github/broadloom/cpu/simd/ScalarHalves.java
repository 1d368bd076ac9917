package io.github.broadloom.cpu.simd;

import io.github.broadloom.dtype.Float16;

/** {@link Halves} one by one. */
final class ScalarHalves implements Halves {

    @Override
    public void float16ToFloat32(short[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = Float16.toFloat(x[i]);
        }
    }

    @Override
    public void float32ToFloat16(float[] x, short[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = Float16.fromFloat(x[i]);
        }
    }

    @Override
    public void roundToFloat16(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = Float16.round(x[i]);
        }
    }
}
