package io.github.broadloom.device.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;
import java.util.Arrays;

/** Arrays of a dtype's stored elements, and moving elements between them and off-heap memory. */
final class StoredArrays {
    /** Below this a copy of the block costs more than its elements. */
    private static final int SHORT_RUN = 16;

    private StoredArrays() {}

    static Object allocate(DType dtype, int count) {
        return switch (dtype) {
            case FLOAT32 -> new float[count];
            case FLOAT64 -> new double[count];
            case INT32 -> new int[count];
            case INT64 -> new long[count];
            case FLOAT16, INT16 -> new short[count];
            case UINT8, INT8, BOOL -> new byte[count];
        };
    }

    /** Writes {@code count} elements of an array, from {@code at} on, {@code stride} elements apart. */
    static void write(Object array, int at, int count, long address, long stride) {
        if (stride == 1 || count == 1) {
            writeRun(array, at, count, address);
        } else {
            writeApart(array, at, count, address, stride);
        }
    }

    private static void writeRun(Object array, int at, int count, long address) {
        if (array instanceof float[] floats) {
            RawMemory.copy(floats, at, address, count);
        } else if (array instanceof double[] doubles) {
            RawMemory.copy(doubles, at, address, count);
        } else if (array instanceof byte[] bytes) {
            RawMemory.copy(bytes, at, address, count);
        } else if (array instanceof int[] ints) {
            RawMemory.copy(ints, at, address, count);
        } else if (array instanceof long[] longs) {
            RawMemory.copy(longs, at, address, count);
        } else {
            RawMemory.copy((short[]) array, at, address, count);
        }
    }

    private static void writeApart(Object array, int at, int count, long address, long stride) {
        if (array instanceof float[] floats) {
            for (int i = 0; i < count; i++) {
                RawMemory.putFloat(address + i * stride * Float.BYTES, floats[at + i]);
            }
        } else if (array instanceof double[] doubles) {
            for (int i = 0; i < count; i++) {
                RawMemory.putDouble(address + i * stride * Double.BYTES, doubles[at + i]);
            }
        } else if (array instanceof byte[] bytes) {
            for (int i = 0; i < count; i++) {
                RawMemory.putByte(address + i * stride, bytes[at + i]);
            }
        } else if (array instanceof int[] ints) {
            for (int i = 0; i < count; i++) {
                RawMemory.putInt(address + i * stride * Integer.BYTES, ints[at + i]);
            }
        } else if (array instanceof long[] longs) {
            for (int i = 0; i < count; i++) {
                RawMemory.putLong(address + i * stride * Long.BYTES, longs[at + i]);
            }
        } else {
            short[] shorts = (short[]) array;
            for (int i = 0; i < count; i++) {
                RawMemory.putShort(address + i * stride * Short.BYTES, shorts[at + i]);
            }
        }
    }

    /** Reads {@code count} elements, {@code stride} elements apart, into an array from {@code at} on. */
    static void read(long address, long stride, Object array, int at, int count) {
        if (array instanceof float[] floats) {
            readFloats(address, stride, floats, at, count);
        } else if (array instanceof double[] doubles) {
            readDoubles(address, stride, doubles, at, count);
        } else if (array instanceof byte[] bytes) {
            readBytes(address, stride, bytes, at, count);
        } else if (array instanceof int[] ints) {
            readInts(address, stride, ints, at, count);
        } else if (array instanceof long[] longs) {
            readLongs(address, stride, longs, at, count);
        } else {
            readShorts(address, stride, (short[]) array, at, count);
        }
    }

    private static void readFloats(long address, long stride, float[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getFloat(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Float.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getFloat(address + i * step);
            }
        }
    }

    private static void readDoubles(long address, long stride, double[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getDouble(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Double.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getDouble(address + i * step);
            }
        }
    }

    private static void readBytes(long address, long stride, byte[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getByte(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Byte.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getByte(address + i * step);
            }
        }
    }

    private static void readInts(long address, long stride, int[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getInt(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Integer.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getInt(address + i * step);
            }
        }
    }

    private static void readLongs(long address, long stride, long[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getLong(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Long.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getLong(address + i * step);
            }
        }
    }

    private static void readShorts(long address, long stride, short[] array, int at, int count) {
        if (stride == 0) {
            Arrays.fill(array, at, at + count, RawMemory.getShort(address));
        } else if (stride == 1 && count >= SHORT_RUN) {
            RawMemory.copy(address, array, at, count);
        } else {
            long step = stride * Short.BYTES;
            for (int i = 0; i < count; i++) {
                array[at + i] = RawMemory.getShort(address + i * step);
            }
        }
    }
}
