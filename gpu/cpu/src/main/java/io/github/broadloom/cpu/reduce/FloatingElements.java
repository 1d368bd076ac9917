package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;

/** Elements of floating dtypes to and from {@code double}. */
public final class FloatingElements {
    private FloatingElements() {}

    /** Widens stored elements. */
    public static void read(DType dtype, Object elements, int count, double[] into) {
        switch (dtype.primitive()) {
            case DOUBLE -> System.arraycopy(elements, 0, into, 0, count);
            case FLOAT -> Casts.float32ToFloat64((float[]) elements, into, count);
            case SHORT -> {
                float[] floats = new float[count];
                Casts.toFloat32(dtype, (short[]) elements, floats, count);
                Casts.float32ToFloat64(floats, into, count);
            }
            case BYTE, INT, LONG -> throw notFloating(dtype);
        }
    }

    private static IllegalStateException notFloating(DType dtype) {
        return new IllegalStateException(dtype + " is no floating dtype");
    }

    /** One element, rounded once. One NaN stands for all, so that results have the same bits on every path. */
    public static void write(double value, DType dtype, long address, int index) {
        double canonical = Double.isNaN(value) ? Double.NaN : value;
        switch (dtype.primitive()) {
            case DOUBLE -> RawMemory.putDouble(address + 8L * index, canonical);
            case FLOAT -> RawMemory.putFloat(address + 4L * index, (float) canonical);
            case SHORT ->
                RawMemory.putShort(address + 2L * index, dtype.reduced().fromDouble(canonical));
            case BYTE, INT, LONG -> throw notFloating(dtype);
        }
    }
}
