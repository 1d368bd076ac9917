package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Float16;
import io.github.broadloom.lanes.Casts;
import io.github.broadloom.tensor.RawMemory;

/** Elements of floating dtypes to and from {@code double}. */
public final class FloatingElements {
    private FloatingElements() {}

    /** Widens stored elements. */
    public static void read(DType dtype, Object elements, int count, double[] into) {
        switch (dtype) {
            case FLOAT64 -> System.arraycopy(elements, 0, into, 0, count);
            case FLOAT32 -> Casts.float32ToFloat64((float[]) elements, into, count);
            default -> {
                float[] floats = new float[count];
                Casts.float16ToFloat32((short[]) elements, floats, count);
                Casts.float32ToFloat64(floats, into, count);
            }
        }
    }

    /** One element, rounded once. One NaN stands for all, so that results have the same bits on every path. */
    public static void write(double value, DType dtype, long address, int index) {
        double canonical = Double.isNaN(value) ? Double.NaN : value;
        switch (dtype) {
            case FLOAT64 -> RawMemory.putDouble(address + 8L * index, canonical);
            case FLOAT32 -> RawMemory.putFloat(address + 4L * index, (float) canonical);
            default -> RawMemory.putShort(address + 2L * index, Float16.fromDouble(canonical));
        }
    }
}
