package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;

/** Elements of integer dtypes and bools to and from {@code long}. */
public final class IntegerElements {
    private IntegerElements() {}

    /** Widens stored elements; each loop is simple enough to be vectorised. */
    public static void read(DType dtype, Object elements, int count, long[] into) {
        switch (dtype.primitive()) {
            case LONG -> System.arraycopy(elements, 0, into, 0, count);
            case INT -> {
                int[] from = (int[]) elements;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i];
                }
            }
            case SHORT -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i];
                }
            }
            case BYTE -> {
                byte[] from = (byte[]) elements;
                int mask = dtype.isSigned() ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i] & mask;
                }
            }
            case FLOAT, DOUBLE -> throw notWhole(dtype);
        }
    }

    private static IllegalStateException notWhole(DType dtype) {
        return new IllegalStateException(dtype + " is a floating dtype");
    }

    /** One element, wrapped to the dtype's width. */
    public static void write(long value, DType dtype, long address, int index) {
        switch (dtype.primitive()) {
            case LONG -> RawMemory.putLong(address + 8L * index, value);
            case INT -> RawMemory.putInt(address + 4L * index, (int) value);
            case SHORT -> RawMemory.putShort(address + 2L * index, (short) value);
            case BYTE -> RawMemory.putByte(address + index, (byte) value);
            case FLOAT, DOUBLE -> throw notWhole(dtype);
        }
    }
}
