package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Primitive;
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

    /** As values of a dtype that holds them all, in an array of its {@linkplain DType#primitive() primitive}. */
    static Object array(Tensor tensor, DType dtype) {
        refuseChange(tensor, dtype.primitive().javaName(), dtype.holds(tensor.dtype()));
        return copy(tensor, dtype);
    }

    static Object bits(Tensor tensor, Primitive primitive) {
        refuseChange(tensor, primitive.javaName(), tensor.dtype().bytes() == primitive.bytes());
        return copy(tensor, tensor.dtype());
    }

    private static Object copy(Tensor tensor, DType dtype) {
        int length = length(tensor);
        Object values = dtype.primitive().newArray(length);
        Tensor packed = onHost(tensor.to(dtype));
        try (Hold held = Hold.of(packed)) {
            RawMemory.copy(packed.address(), values, 0, length);
        }
        return values;
    }

    static boolean[] booleans(Tensor tensor) {
        refuseChange(tensor, "boolean", tensor.dtype() == DType.BOOL);
        byte[] bytes = tensor.toByteArray();
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
