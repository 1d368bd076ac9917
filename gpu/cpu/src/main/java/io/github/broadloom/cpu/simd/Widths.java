package io.github.broadloom.cpu.simd;

/** Conversions of numbers to another size, or from integers to floats; those to fewer bits drop the high ones. */
interface Widths {
    void uint8ToInt32(byte[] x, int[] out, int from, int to);

    void int8ToInt32(byte[] x, int[] out, int from, int to);

    void int16ToInt32(short[] x, int[] out, int from, int to);

    void uint8ToFloat32(byte[] x, float[] out, int from, int to);

    void int8ToFloat32(byte[] x, float[] out, int from, int to);

    void int16ToFloat32(short[] x, float[] out, int from, int to);

    /** Any byte but 0 is true, which is 1. */
    void boolToInt32(byte[] x, int[] out, int from, int to);

    void boolToFloat32(byte[] x, float[] out, int from, int to);

    void int32ToInt8(int[] x, byte[] out, int from, int to);

    void int32ToInt16(int[] x, short[] out, int from, int to);

    void int32ToFloat32(int[] x, float[] out, int from, int to);

    void int32ToInt64(int[] x, long[] out, int from, int to);

    void int32ToFloat64(int[] x, double[] out, int from, int to);

    void float32ToFloat64(float[] x, double[] out, int from, int to);

    void float64ToFloat32(double[] x, float[] out, int from, int to);
}
