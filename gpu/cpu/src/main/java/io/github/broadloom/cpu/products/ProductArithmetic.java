package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.memory.StoredArrays;
import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.dtype.DType;
import java.lang.reflect.Array;

/**
 * What the products of a dtype are summed in: floats of float32 and of reduced floating dtypes, doubles, longs, and ints of the narrower integers, which wrap
 * when they are stored. The arrays are of that type; stored elements lie in {@link StoredArrays}.
 */
final class ProductArithmetic {
    private final DType dtype;
    private final Class<?> element;
    private final MicroKernels products;

    private ProductArithmetic(DType dtype, Class<?> element) {
        this.dtype = dtype;
        this.element = element;
        this.products = MicroKernelSource.of(element);
    }

    static ProductArithmetic of(DType dtype) {
        return switch (dtype.valueType()) {
            case FLOAT -> new ProductArithmetic(dtype, float.class);
            case DOUBLE -> new ProductArithmetic(dtype, double.class);
            case LONG -> new ProductArithmetic(dtype, long.class);
            case INT -> new ProductArithmetic(dtype, int.class);
            case BOOL -> throw new IllegalArgumentException("Cannot multiply matrices of bool; convert them first");
        };
    }

    MicroKernels products() {
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
        if (dtype.isReducedFloatingPoint()) {
            Casts.toFloat32(dtype, (short[]) stored, (float[]) into, count);
        } else if (stored instanceof short[] shorts) {
            Casts.int16ToInt32(shorts, (int[]) into, count);
        } else if (dtype.isSigned()) {
            Casts.int8ToInt32((byte[]) stored, (int[]) into, count);
        } else {
            Casts.uint8ToInt32((byte[]) stored, (int[]) into, count);
        }
    }

    /** Results as they are stored, rounded or wrapped, one NaN for all; may change {@code values}. */
    void store(Object values, Object stored, int count) {
        products.keepOneNaN(values, count);
        if (dtype.isReducedFloatingPoint()) {
            Casts.fromFloat32(dtype, (float[]) values, (short[]) stored, count);
        } else if (stored instanceof short[] shorts) {
            Casts.int32ToInt16((int[]) values, shorts, count);
        } else if (stored instanceof byte[] bytes) {
            Casts.int32ToInt8((int[]) values, bytes, count);
        }
    }
}
