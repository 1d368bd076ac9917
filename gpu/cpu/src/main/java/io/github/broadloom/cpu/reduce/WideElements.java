package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;

/** Stored elements to and from what reductions compute in: {@code double[]} of floating dtypes, {@code long[]} of integers and bools. */
public final class WideElements {
    private WideElements() {}

    public static Object allocate(DType dtype, int count) {
        return dtype.isFloatingPoint() ? new double[count] : new long[count];
    }

    /** Widens stored elements; each loop is simple enough to be vectorised. */
    public static void read(DType dtype, Object elements, int count, Object into) {
        switch (dtype.primitive()) {
            case DOUBLE, LONG -> System.arraycopy(elements, 0, into, 0, count);
            case FLOAT -> Casts.float32ToFloat64((float[]) elements, (double[]) into, count);
            case INT -> ints((int[]) elements, count, (long[]) into);
            case SHORT -> {
                if (into instanceof double[] doubles) {
                    float[] floats = new float[count];
                    Casts.toFloat32(dtype, (short[]) elements, floats, count);
                    Casts.float32ToFloat64(floats, doubles, count);
                } else {
                    shorts((short[]) elements, count, (long[]) into);
                }
            }
            case BYTE -> bytes((byte[]) elements, dtype.isSigned() ? -1 : 0xff, count, (long[]) into);
        }
    }

    private static void ints(int[] from, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[i];
        }
    }

    private static void shorts(short[] from, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[i];
        }
    }

    private static void bytes(byte[] from, int mask, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[i] & mask;
        }
    }

    /** Writes {@code count} numbers, each {@code step} after the one before, as elements of a dtype that are neighbours in memory. */
    public static void write(Object values, int from, int step, int count, DType dtype, long address) {
        if (values instanceof double[] doubles) {
            for (int i = 0; i < count; i++) {
                write(doubles[from + i * step], dtype, address, i);
            }
        } else {
            long[] longs = (long[]) values;
            for (int i = 0; i < count; i++) {
                write(longs[from + i * step], dtype, address, i);
            }
        }
    }

    /** One element, rounded once. One NaN stands for all, so that results have the same bits on every path. */
    static void write(double value, DType dtype, long address, int index) {
        double canonical = Double.isNaN(value) ? Double.NaN : value;
        switch (dtype.primitive()) {
            case DOUBLE -> RawMemory.putDouble(address + 8L * index, canonical);
            case FLOAT -> RawMemory.putFloat(address + 4L * index, (float) canonical);
            case SHORT ->
                RawMemory.putShort(address + 2L * index, dtype.reduced().fromDouble(canonical));
            case BYTE, INT, LONG -> throw new IllegalStateException(dtype + " is no floating dtype");
        }
    }

    /** One element, wrapped to the dtype's width. */
    private static void write(long value, DType dtype, long address, int index) {
        switch (dtype.primitive()) {
            case LONG -> RawMemory.putLong(address + 8L * index, value);
            case INT -> RawMemory.putInt(address + 4L * index, (int) value);
            case SHORT -> RawMemory.putShort(address + 2L * index, (short) value);
            case BYTE -> RawMemory.putByte(address + index, (byte) value);
            case FLOAT, DOUBLE -> throw new IllegalStateException(dtype + " is a floating dtype");
        }
    }
}
