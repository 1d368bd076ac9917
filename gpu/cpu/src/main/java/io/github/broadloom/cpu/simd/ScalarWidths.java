package io.github.broadloom.cpu.simd;

/** {@link Widths} one by one. */
final class ScalarWidths implements Widths {

    @Override
    public void uint8ToInt32(byte[] x, int[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i] & 0xff;
        }
    }

    @Override
    public void int8ToInt32(byte[] x, int[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void int16ToInt32(short[] x, int[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void uint8ToFloat32(byte[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i] & 0xff;
        }
    }

    @Override
    public void int8ToFloat32(byte[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void int16ToFloat32(short[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void boolToInt32(byte[] x, int[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i] != 0 ? 1 : 0;
        }
    }

    @Override
    public void boolToFloat32(byte[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i] != 0 ? 1 : 0;
        }
    }

    @Override
    public void int32ToInt8(int[] x, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (byte) x[i];
        }
    }

    @Override
    public void int32ToInt16(int[] x, short[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (short) x[i];
        }
    }

    @Override
    public void int32ToFloat32(int[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void int32ToInt64(int[] x, long[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void int32ToFloat64(int[] x, double[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void float32ToFloat64(float[] x, double[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = x[i];
        }
    }

    @Override
    public void float64ToFloat32(double[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = (float) x[i];
        }
    }
}
