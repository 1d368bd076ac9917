package io.github.broadloom.device.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lanes.Casts;
import io.github.broadloom.lanes.PanelProducts;
import io.github.broadloom.lanes.Panels;
import java.lang.reflect.Array;

/**
 * What the products of a dtype are summed in: floats of float32 and float16, doubles, longs, and ints of the narrower integers, which wrap
 * when they are stored. The arrays are of that type; stored elements lie in {@link StoredArrays}.
 */
final class PanelArithmetic {
    private final DType dtype;
    private final Class<?> element;
    private final PanelProducts products;

    private PanelArithmetic(DType dtype, Class<?> element) {
        this.dtype = dtype;
        this.element = element;
        this.products = Panels.of(element);
    }

    static PanelArithmetic of(DType dtype) {
        return switch (dtype) {
            case FLOAT16, FLOAT32 -> new PanelArithmetic(dtype, float.class);
            case FLOAT64 -> new PanelArithmetic(dtype, double.class);
            case INT64 -> new PanelArithmetic(dtype, long.class);
            case UINT8, INT8, INT16, INT32 -> new PanelArithmetic(dtype, int.class);
            case BOOL -> throw new IllegalArgumentException("Cannot multiply matrices of bool; convert them first");
        };
    }

    PanelProducts products() {
        return products;
    }

    /** Whether the stored elements are what is computed with. */
    boolean isStored() {
        return dtype.bytes() >= Integer.BYTES;
    }

    Object allocate(int count) {
        return Array.newInstance(element, count);
    }

    /** Stored elements as what is computed with, where that is another type. */
    void load(Object stored, Object into, int count) {
        switch (dtype) {
            case FLOAT16 -> Casts.float16ToFloat32((short[]) stored, (float[]) into, count);
            case UINT8 -> Casts.uint8ToInt32((byte[]) stored, (int[]) into, count);
            case INT8 -> Casts.int8ToInt32((byte[]) stored, (int[]) into, count);
            case INT16 -> Casts.int16ToInt32((short[]) stored, (int[]) into, count);
            default ->
                throw new IllegalStateException("Elements of " + dtype + " are computed with as they are stored");
        }
    }

    /** Results as they are stored, rounded or wrapped, one NaN for all; may change {@code values}. */
    void store(Object values, Object stored, int count) {
        products.keepOneNaN(values, count);
        switch (dtype) {
            case FLOAT16 -> Casts.float32ToFloat16((float[]) values, (short[]) stored, count);
            case UINT8, INT8 -> Casts.int32ToInt8((int[]) values, (byte[]) stored, count);
            case INT16 -> Casts.int32ToInt16((int[]) values, (short[]) stored, count);
            default -> {} // stored as they are
        }
    }
}
