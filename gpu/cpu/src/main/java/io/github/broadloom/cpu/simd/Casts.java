package io.github.broadloom.cpu.simd;

import io.github.broadloom.dtype.BFloat16;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ReducedFloat;
import java.lang.invoke.MethodHandle;

/**
 * Conversions of the first {@code n} elements of an array between stored dtypes and the values of kernels, as {@link Simd} has
 * functions of them.
 */
public final class Casts {
    private static final Halves HALVES = Twins.of(Halves.class, new ScalarHalves());
    private static final Widths WIDTHS = Twins.of(Widths.class, new ScalarWidths());

    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle float32ToFloat64 =
            Apart.of(WIDTHS, "float32ToFloat64", float[].class, double[].class, int.class, int.class);

    private Casts() {}

    /** The values of stored float16, {@link io.github.broadloom.dtype.Float16#toFloat}. */
    public static void float16ToFloat32(short[] x, float[] out, int n) {
        HALVES.float16ToFloat32(x, out, 0, n);
    }

    /** The nearest float16, {@link io.github.broadloom.dtype.Float16#fromFloat}. */
    public static void float32ToFloat16(float[] x, short[] out, int n) {
        HALVES.float32ToFloat16(x, out, 0, n);
    }

    /** The nearest float16 as a float, {@link io.github.broadloom.dtype.Float16#round}. */
    public static void roundToFloat16(float[] x, float[] out, int n) {
        HALVES.roundToFloat16(x, out, 0, n);
    }

    /** The values of stored bfloat16, {@link io.github.broadloom.dtype.BFloat16#toFloat}. */
    public static void bfloat16ToFloat32(short[] x, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = BFloat16.toFloat(x[i]);
        }
    }

    /** The nearest bfloat16, {@link io.github.broadloom.dtype.BFloat16#fromFloat}. */
    public static void float32ToBfloat16(float[] x, short[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = BFloat16.fromFloat(x[i]);
        }
    }

    /** The nearest bfloat16 as a float, {@link io.github.broadloom.dtype.BFloat16#round}. */
    public static void roundToBfloat16(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = BFloat16.round(x[i]);
        }
    }

    /** The values of a stored reduced floating dtype. */
    public static void toFloat32(DType stored, short[] x, float[] out, int n) {
        if (stored == DType.FLOAT16) {
            float16ToFloat32(x, out, n);
            return;
        }
        ReducedFloat format = stored.reduced();
        for (int i = 0; i < n; i++) {
            out[i] = format.toFloat(x[i]);
        }
    }

    /** The nearest values of a reduced floating dtype, as they are stored. */
    public static void fromFloat32(DType stored, float[] x, short[] out, int n) {
        if (stored == DType.FLOAT16) {
            float32ToFloat16(x, out, n);
            return;
        }
        ReducedFloat format = stored.reduced();
        for (int i = 0; i < n; i++) {
            out[i] = format.fromFloat(x[i]);
        }
    }

    /** uint8 to int32, of bytes without a sign. */
    public static void uint8ToInt32(byte[] x, int[] out, int n) {
        WIDTHS.uint8ToInt32(x, out, 0, n);
    }

    /** int8 to int32. */
    public static void int8ToInt32(byte[] x, int[] out, int n) {
        WIDTHS.int8ToInt32(x, out, 0, n);
    }

    /** int16 to int32. */
    public static void int16ToInt32(short[] x, int[] out, int n) {
        WIDTHS.int16ToInt32(x, out, 0, n);
    }

    /** uint8 to float32, of bytes without a sign. */
    public static void uint8ToFloat32(byte[] x, float[] out, int n) {
        WIDTHS.uint8ToFloat32(x, out, 0, n);
    }

    /** int8 to float32. */
    public static void int8ToFloat32(byte[] x, float[] out, int n) {
        WIDTHS.int8ToFloat32(x, out, 0, n);
    }

    /** int16 to float32. */
    public static void int16ToFloat32(short[] x, float[] out, int n) {
        WIDTHS.int16ToFloat32(x, out, 0, n);
    }

    /** 1 where the byte is not 0, else 0. */
    public static void boolToInt32(byte[] x, int[] out, int n) {
        WIDTHS.boolToInt32(x, out, 0, n);
    }

    /** 1 where the byte is not 0, else 0. */
    public static void boolToFloat32(byte[] x, float[] out, int n) {
        WIDTHS.boolToFloat32(x, out, 0, n);
    }

    /** The low 8 bits. */
    public static void int32ToInt8(int[] x, byte[] out, int n) {
        WIDTHS.int32ToInt8(x, out, 0, n);
    }

    /** The low 16 bits. */
    public static void int32ToInt16(int[] x, short[] out, int n) {
        WIDTHS.int32ToInt16(x, out, 0, n);
    }

    /** int32 to float32. */
    public static void int32ToFloat32(int[] x, float[] out, int n) {
        WIDTHS.int32ToFloat32(x, out, 0, n);
    }

    /** int32 to int64. */
    public static void int32ToInt64(int[] x, long[] out, int n) {
        WIDTHS.int32ToInt64(x, out, 0, n);
    }

    /** int32 to float64. */
    public static void int32ToFloat64(int[] x, double[] out, int n) {
        WIDTHS.int32ToFloat64(x, out, 0, n);
    }

    /** float32 to float64. */
    public static void float32ToFloat64(float[] x, double[] out, int n) {
        try {
            float32ToFloat64.invokeExact(x, out, 0, n);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }

    /** float64 to float32. */
    public static void float64ToFloat32(double[] x, float[] out, int n) {
        WIDTHS.float64ToFloat32(x, out, 0, n);
    }
}
