package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ReducedFloat;
import io.github.broadloom.dtype.Truncation;
import io.github.broadloom.dtype.ValueType;

/**
 * Single elements and runs of them, read as and written from Java's widest numbers: {@code long} for integers and bools,
 * {@code double} for floating dtypes. Each dtype is read and written here and nowhere else.
 *
 * <p>A cast is C's, as compiled for x86: integers wrap; a floating number is converted by {@link Truncation} to 32 bits for
 * int8, int16 and int32, else to 64, of which the low bits are kept. Anything but zero is true.
 */
final class Elements {
    private static final int TILE = 1024;

    private Elements() {}

    /** One element, as Boolean, Long or Double. */
    static Object read(DType dtype, long address) {
        if (dtype.isFloatingPoint()) {
            double[] value = new double[1];
            loadDoubles(dtype, address, value, 1);
            return value[0];
        }
        long[] value = new long[1];
        loadLongs(dtype, address, value, 1);
        return dtype == DType.BOOL ? (Object) (value[0] != 0) : (Object) value[0];
    }

    /** Writes one element, cast to {@code dtype}. */
    static void write(DType dtype, long address, Object value) {
        if (value instanceof Boolean bool) {
            storeLongs(dtype, address, new long[] {bool ? 1 : 0}, 1);
        } else if (value instanceof Double || value instanceof Float) {
            storeDoubles(dtype, address, new double[] {((Number) value).doubleValue()}, 1);
        } else if (value instanceof Number number) {
            storeLongs(dtype, address, new long[] {number.longValue()}, 1);
        } else {
            throw new IllegalArgumentException(
                    "Cannot store element: '" + value + "' is no number; use a Boolean, a Long or a Double");
        }
    }

    /** Casts {@code count} contiguous elements. */
    static void cast(DType fromType, long from, DType toType, long to, long count) {
        double[] doubles = fromType.isFloatingPoint() ? new double[TILE] : new double[0];
        long[] longs = fromType.isFloatingPoint() ? new long[0] : new long[TILE];
        for (long start = 0; start < count; start += TILE) {
            int part = (int) Math.min(TILE, count - start);
            long source = from + start * fromType.bytes();
            long target = to + start * toType.bytes();
            if (fromType.isFloatingPoint()) {
                loadDoubles(fromType, source, doubles, part);
                storeDoubles(toType, target, doubles, part);
            } else {
                loadLongs(fromType, source, longs, part);
                storeLongs(toType, target, longs, part);
            }
        }
    }

    /** Writes {@code count} contiguous elements, each made of its index and cast. */
    static void generateDoubles(DType dtype, long to, long count, Tensors.Run<double[]> run) {
        double[] values = new double[TILE];
        for (long start = 0; start < count; start += TILE) {
            int part = (int) Math.min(TILE, count - start);
            run.fill(start, values, part);
            storeDoubles(dtype, to + start * dtype.bytes(), values, part);
        }
    }

    /** Writes {@code count} contiguous elements, each made of its index and cast. */
    static void generateLongs(DType dtype, long to, long count, Tensors.Run<long[]> run) {
        long[] values = new long[TILE];
        for (long start = 0; start < count; start += TILE) {
            int part = (int) Math.min(TILE, count - start);
            run.fill(start, values, part);
            storeLongs(dtype, to + start * dtype.bytes(), values, part);
        }
    }

    private static void loadDoubles(DType dtype, long from, double[] to, int count) {
        switch (dtype.primitive()) {
            case DOUBLE -> RawMemory.copy(from, to, 0, count);
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    to[i] = RawMemory.getFloat(from + 4L * i);
                }
            }
            case SHORT -> {
                ReducedFloat format = dtype.reduced();
                for (int i = 0; i < count; i++) {
                    to[i] = format.toFloat(RawMemory.getShort(from + 2L * i));
                }
            }
            case BYTE, INT, LONG -> throw new IllegalStateException(dtype + " is read as longs");
        }
    }

    private static void loadLongs(DType dtype, long from, long[] to, int count) {
        switch (dtype.primitive()) {
            case LONG -> RawMemory.copy(from, to, 0, count);
            case INT -> {
                for (int i = 0; i < count; i++) {
                    to[i] = RawMemory.getInt(from + 4L * i);
                }
            }
            case SHORT -> {
                for (int i = 0; i < count; i++) {
                    to[i] = RawMemory.getShort(from + 2L * i);
                }
            }
            case BYTE -> {
                int mask = dtype.isSigned() ? -1 : 0xFF;
                for (int i = 0; i < count; i++) {
                    to[i] = RawMemory.getByte(from + i) & mask;
                }
            }
            case FLOAT, DOUBLE -> throw new IllegalStateException(dtype + " is read as doubles");
        }
    }

    private static void storeDoubles(DType dtype, long to, double[] from, int count) {
        switch (dtype.kind()) {
            case FLOATING -> storeFloating(dtype, to, from, count);
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    RawMemory.putByte(to + i, (byte) (from[i] != 0 ? 1 : 0));
                }
            }
            case INTEGER -> {
                long[] truncated = new long[count];
                boolean wide = dtype.valueType() == ValueType.LONG || !dtype.isSigned();
                for (int i = 0; i < count; i++) {
                    truncated[i] = wide ? Truncation.toInt64(from[i]) : Truncation.toInt32(from[i]);
                }
                storeLongs(dtype, to, truncated, count);
            }
        }
    }

    private static void storeFloating(DType dtype, long to, double[] from, int count) {
        if (dtype.isReducedFloatingPoint()) {
            ReducedFloat format = dtype.reduced();
            for (int i = 0; i < count; i++) {
                RawMemory.putShort(to + 2L * i, format.fromDouble(from[i]));
            }
        } else if (dtype.valueType() == ValueType.FLOAT) {
            for (int i = 0; i < count; i++) {
                RawMemory.putFloat(to + 4L * i, (float) from[i]);
            }
        } else {
            RawMemory.copy(from, 0, to, count);
        }
    }

    private static void storeLongs(DType dtype, long to, long[] from, int count) {
        switch (dtype.primitive()) {
            case LONG -> RawMemory.copy(from, 0, to, count);
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    RawMemory.putDouble(to + 8L * i, from[i]);
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    RawMemory.putFloat(to + 4L * i, from[i]);
                }
            }
            case INT -> {
                for (int i = 0; i < count; i++) {
                    RawMemory.putInt(to + 4L * i, (int) from[i]);
                }
            }
            case SHORT -> storeShorts(dtype, to, from, count);
            case BYTE -> {
                boolean isTruth = dtype == DType.BOOL;
                for (int i = 0; i < count; i++) {
                    RawMemory.putByte(to + i, (byte) (isTruth ? from[i] != 0 ? 1 : 0 : from[i]));
                }
            }
        }
    }

    private static void storeShorts(DType dtype, long to, long[] from, int count) {
        if (dtype.isReducedFloatingPoint()) {
            ReducedFloat format = dtype.reduced();
            for (int i = 0; i < count; i++) {
                RawMemory.putShort(to + 2L * i, format.fromFloat((float) from[i]));
            }
        } else {
            for (int i = 0; i < count; i++) {
                RawMemory.putShort(to + 2L * i, (short) from[i]);
            }
        }
    }
}
