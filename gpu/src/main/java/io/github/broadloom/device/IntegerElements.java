package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;

/** Elements of integer dtypes and bools to and from {@code long}. */
public final class IntegerElements {
    private IntegerElements() {}

    /** Widens stored elements; each loop is simple enough to be vectorised. */
    public static void read(DType dtype, Object elements, int count, long[] into) {
        switch (dtype) {
            case INT64 -> System.arraycopy(elements, 0, into, 0, count);
            case INT32 -> {
                int[] from = (int[]) elements;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i];
                }
            }
            case INT16 -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i];
                }
            }
            default -> {
                byte[] from = (byte[]) elements;
                int mask = dtype == DType.INT8 ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    into[i] = from[i] & mask;
                }
            }
        }
    }

    /** One element, wrapped to the dtype's width. */
    public static void write(long value, DType dtype, long address, int index) {
        switch (dtype.bytes()) {
            case 8 -> RawMemory.putLong(address + 8L * index, value);
            case 4 -> RawMemory.putInt(address + 4L * index, (int) value);
            case 2 -> RawMemory.putShort(address + 2L * index, (short) value);
            default -> RawMemory.putByte(address + index, (byte) value);
        }
    }
}
