package io.github.broadloom.cpu.simd;

/** Conversions of numbers to another size, or from integers to floats. */
final class ScalarWidths implements Widths {

    /** uint8 to int32, of bytes without a sign. */
    @OfArrays
    static int uint8ToInt32(byte x) {
        return x & 0xff;
    }

    /** int8 to int32. */
    @OfArrays
    static int int8ToInt32(byte x) {
        return x;
    }

    /** int16 to int32. */
    @OfArrays
    static int int16ToInt32(short x) {
        return x;
    }

    /** uint8 to float32, of bytes without a sign. */
    @OfArrays
    static float uint8ToFloat32(byte x) {
        return x & 0xff;
    }

    /** int8 to float32. */
    @OfArrays
    static float int8ToFloat32(byte x) {
        return x;
    }

    /** int16 to float32. */
    @OfArrays
    static float int16ToFloat32(short x) {
        return x;
    }

    /** 1 where the byte is not 0, else 0. */
    @OfArrays
    static int boolToInt32(boolean x) {
        return x ? 1 : 0;
    }

    /** 1 where the byte is not 0, else 0. */
    @OfArrays
    static float boolToFloat32(boolean x) {
        return x ? 1 : 0;
    }

    /** The low 8 bits. */
    @OfArrays
    static byte int32ToInt8(int x) {
        return (byte) x;
    }

    /** The low 16 bits. */
    @OfArrays
    static short int32ToInt16(int x) {
        return (short) x;
    }

    /** int32 to float32. */
    @OfArrays
    static float int32ToFloat32(int x) {
        return x;
    }

    /** int32 to int64. */
    @OfArrays
    static long int32ToInt64(int x) {
        return x;
    }

    /** int32 to float64. */
    @OfArrays
    static double int32ToFloat64(int x) {
        return x;
    }

    /** float32 to float64. */
    @OfArrays
    static double float32ToFloat64(float x) {
        return x;
    }

    /** float64 to float32. */
    @OfArrays
    static float float64ToFloat32(double x) {
        return (float) x;
    }
}
