package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ReducedFloat;

/**
 * Adds a run of contiguous elements to another, in their own dtype and each sum rounded to it: integers wrap, reduced
 * floating dtypes are added in float32 and rounded, of bools it is or.
 */
interface RowSum {
    /** Adds {@code count} elements at {@code from} to those at {@code to}. */
    void add(long from, long to, long count);

    static RowSum of(DType dtype) {
        return switch (dtype.primitive()) {
            case DOUBLE ->
                (from, to, count) -> {
                    for (long i = 0; i < 8 * count; i += 8) {
                        RawMemory.putDouble(to + i, RawMemory.getDouble(to + i) + RawMemory.getDouble(from + i));
                    }
                };
            case FLOAT ->
                (from, to, count) -> {
                    for (long i = 0; i < 4 * count; i += 4) {
                        RawMemory.putFloat(to + i, RawMemory.getFloat(to + i) + RawMemory.getFloat(from + i));
                    }
                };
            case LONG ->
                (from, to, count) -> {
                    for (long i = 0; i < 8 * count; i += 8) {
                        RawMemory.putLong(to + i, RawMemory.getLong(to + i) + RawMemory.getLong(from + i));
                    }
                };
            case INT ->
                (from, to, count) -> {
                    for (long i = 0; i < 4 * count; i += 4) {
                        RawMemory.putInt(to + i, RawMemory.getInt(to + i) + RawMemory.getInt(from + i));
                    }
                };
            case SHORT -> dtype.isReducedFloatingPoint() ? ofReduced(dtype.reduced()) : ofShorts();
            case BYTE -> dtype == DType.BOOL ? ofBools() : ofBytes();
        };
    }

    private static RowSum ofReduced(ReducedFloat format) {
        return (from, to, count) -> {
            for (long i = 0; i < 2 * count; i += 2) {
                float sum = format.toFloat(RawMemory.getShort(to + i)) + format.toFloat(RawMemory.getShort(from + i));
                RawMemory.putShort(to + i, format.fromFloat(sum));
            }
        };
    }

    private static RowSum ofShorts() {
        return (from, to, count) -> {
            for (long i = 0; i < 2 * count; i += 2) {
                RawMemory.putShort(to + i, (short) (RawMemory.getShort(to + i) + RawMemory.getShort(from + i)));
            }
        };
    }

    private static RowSum ofBools() {
        return (from, to, count) -> {
            for (long i = 0; i < count; i++) {
                RawMemory.putByte(to + i, (byte) (RawMemory.getByte(to + i) | RawMemory.getByte(from + i)));
            }
        };
    }

    private static RowSum ofBytes() {
        return (from, to, count) -> {
            for (long i = 0; i < count; i++) {
                RawMemory.putByte(to + i, (byte) (RawMemory.getByte(to + i) + RawMemory.getByte(from + i)));
            }
        };
    }
}
