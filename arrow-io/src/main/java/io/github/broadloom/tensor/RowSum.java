package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Float16;

/**
 * Adds a run of contiguous elements to another, in their own dtype and each sum rounded to it: integers wrap, float16 is
 * added in float32 and rounded, of bools it is or.
 */
interface RowSum {
    /** Adds {@code count} elements at {@code from} to those at {@code to}. */
    void add(long from, long to, long count);

    /** The sum of that dtype. */
    static RowSum of(DType dtype) {
        return switch (dtype) {
            case FLOAT64 ->
                (from, to, count) -> {
                    for (long i = 0; i < 8 * count; i += 8) {
                        RawMemory.putDouble(to + i, RawMemory.getDouble(to + i) + RawMemory.getDouble(from + i));
                    }
                };
            case FLOAT32 ->
                (from, to, count) -> {
                    for (long i = 0; i < 4 * count; i += 4) {
                        RawMemory.putFloat(to + i, RawMemory.getFloat(to + i) + RawMemory.getFloat(from + i));
                    }
                };
            case FLOAT16 ->
                (from, to, count) -> {
                    for (long i = 0; i < 2 * count; i += 2) {
                        float sum = Float16.toFloat(RawMemory.getShort(to + i))
                                + Float16.toFloat(RawMemory.getShort(from + i));
                        RawMemory.putShort(to + i, Float16.fromFloat(sum));
                    }
                };
            default -> ofIntegers(dtype);
        };
    }

    private static RowSum ofIntegers(DType dtype) {
        return switch (dtype) {
            case INT64 ->
                (from, to, count) -> {
                    for (long i = 0; i < 8 * count; i += 8) {
                        RawMemory.putLong(to + i, RawMemory.getLong(to + i) + RawMemory.getLong(from + i));
                    }
                };
            case INT32 ->
                (from, to, count) -> {
                    for (long i = 0; i < 4 * count; i += 4) {
                        RawMemory.putInt(to + i, RawMemory.getInt(to + i) + RawMemory.getInt(from + i));
                    }
                };
            case INT16 ->
                (from, to, count) -> {
                    for (long i = 0; i < 2 * count; i += 2) {
                        RawMemory.putShort(to + i, (short) (RawMemory.getShort(to + i) + RawMemory.getShort(from + i)));
                    }
                };
            case BOOL ->
                (from, to, count) -> {
                    for (long i = 0; i < count; i++) {
                        RawMemory.putByte(to + i, (byte) (RawMemory.getByte(to + i) | RawMemory.getByte(from + i)));
                    }
                };
            default ->
                (from, to, count) -> {
                    for (long i = 0; i < count; i++) {
                        RawMemory.putByte(to + i, (byte) (RawMemory.getByte(to + i) + RawMemory.getByte(from + i)));
                    }
                };
        };
    }
}
