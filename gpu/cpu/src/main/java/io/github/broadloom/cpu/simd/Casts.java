package io.github.broadloom.cpu.simd;

import io.github.broadloom.dtype.BFloat16;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ReducedFloat;
import java.lang.invoke.MethodHandle;

/**
 * Conversions of the first {@code n} elements of an array between stored dtypes and the values of kernels, as {@link Simd} has
 * functions of them.
 */
public final class Casts extends CastFunctions {
    @SuppressWarnings("NonFinalStaticField") // as Apart needs it
    private static MethodHandle float32ToFloat64 =
            Apart.of(WIDTHS, "float32ToFloat64", float[].class, double[].class, int.class, int.class);

    private Casts() {}

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

    /** float32 to float64. */
    public static void float32ToFloat64(float[] x, double[] out, int n) {
        try {
            float32ToFloat64.invokeExact(x, out, 0, n);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }
}
