package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** All elements of a tensor in row-major order, as Java arrays; refused where the array's type could change a value. */
final class HeapCopies {
    /** The longest array that every JVM allows. */
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private HeapCopies() {}

    static List<Object> values(Tensor tensor) {
        Object[] values = new Object[length(tensor)];
        Tensor packed = onHost(tensor);
        try (Hold held = Hold.of(packed)) {
            for (int i = 0; i < values.length; i++) {
                values[i] = Elements.read(
                        tensor.dtype(),
                        packed.address() + (long) i * tensor.dtype().bytes());
            }
        }
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    static float[] floats(Tensor tensor) {
        refuseChange(tensor, "float", DType.FLOAT32.holds(tensor.dtype()));
        float[] values = new float[length(tensor)];
        Tensor packed = onHost(tensor.to(DType.FLOAT32));
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static double[] doubles(Tensor tensor) {
        refuseChange(tensor, "double", DType.FLOAT64.holds(tensor.dtype()));
        double[] values = new double[length(tensor)];
        Tensor packed = onHost(tensor.to(DType.FLOAT64));
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static long[] longs(Tensor tensor) {
        refuseChange(tensor, "long", DType.INT64.holds(tensor.dtype()));
        long[] values = new long[length(tensor)];
        Tensor packed = onHost(tensor.to(DType.INT64));
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static int[] ints(Tensor tensor) {
        refuseChange(tensor, "int", DType.INT32.holds(tensor.dtype()));
        int[] values = new int[length(tensor)];
        Tensor packed = onHost(tensor.to(DType.INT32));
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static short[] shorts(Tensor tensor) {
        refuseChange(tensor, "short", tensor.dtype().bytes() == Short.BYTES);
        short[] values = new short[length(tensor)];
        Tensor packed = onHost(tensor);
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static byte[] bytes(Tensor tensor) {
        refuseChange(tensor, "byte", tensor.dtype().bytes() == Byte.BYTES);
        byte[] values = new byte[length(tensor)];
        Tensor packed = onHost(tensor);
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, values.length);
        }
        return values;
    }

    static boolean[] booleans(Tensor tensor) {
        refuseChange(tensor, "boolean", tensor.dtype() == DType.BOOL);
        byte[] bytes = bytes(tensor);
        boolean[] values = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            values[i] = bytes[i] != 0;
        }
        return values;
    }

    static void refuseChange(Tensor tensor, String javaName, boolean exact) {
        if (!exact) {
            throw new IllegalArgumentException("Cannot read a " + tensor.dtype() + " tensor as " + javaName
                    + ": values could change; cast with to(...) first");
        }
    }

    /** Row-major in this JVM's memory. */
    private static Tensor onHost(Tensor tensor) {
        return tensor.to(Device.CPU).contiguous();
    }

    private static int length(Tensor tensor) {
        if (tensor.numel() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "Cannot copy tensor to an array: " + tensor.numel() + " elements; take a slice of it");
        }
        return (int) tensor.numel();
    }
}
