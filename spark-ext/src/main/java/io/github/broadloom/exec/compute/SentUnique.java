package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Distinct values or rows on their way from a task to the driver.
 *
 * @param values their elements, an array of the dtype's
 * @param places where the driver wants to know which of them each row of the chunk is
 */
record SentUnique(Object values, long[] counts, long @Nullable [] places) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The bytes of fresh tensors, which are released. */
    static byte[] bytes(UniqueValues unique) {
        long[] places = unique.places().map(each -> (long[]) array(each)).orElse(null);
        return JavaBytes.of(new SentUnique(array(unique.values()), (long[]) array(unique.counts()), places));
    }

    /** @param shape of the values but for how many they are, the first size */
    static UniqueValues read(byte[] bytes, DType dtype, Shape shape) {
        SentUnique sent = JavaBytes.read(bytes, SentUnique.class);
        long[] counts = sent.counts();
        return new UniqueValues(
                tensor(dtype, sent.values(), shape.with(0, counts.length)),
                tensor(DType.INT64, counts, Shape.of(counts.length)),
                Optional.ofNullable(sent.places()).map(places -> tensor(DType.INT64, places, Shape.of(places.length))));
    }

    private static Object array(Tensor tensor) {
        Object array = tensor.dtype().primitive().newArray(Math.toIntExact(tensor.numel()));
        if (tensor.numel() > 0) {
            RawMemory.copy(null, tensor.address(), array, RawMemory.firstElement(array), sizeBytes(tensor));
        }
        tensor.release();
        return array;
    }

    private static Tensor tensor(DType dtype, Object array, Shape shape) {
        Tensor tensor = Tensors.empty(dtype, shape);
        if (tensor.numel() > 0) {
            RawMemory.copy(array, RawMemory.firstElement(array), null, tensor.address(), sizeBytes(tensor));
        }
        return tensor;
    }

    private static long sizeBytes(Tensor tensor) {
        return tensor.dtype().sizeBytes(tensor.numel());
    }
}
