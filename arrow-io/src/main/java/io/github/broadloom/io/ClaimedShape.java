package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;

/** The shape that a file says its array has, which nobody vouches for. */
public final class ClaimedShape {
    /** NumPy's own limit. */
    private static final int MOST_DIMENSIONS = 64;

    private ClaimedShape() {}

    /**
     * A shape whose elements, and those of any part of it, can be counted.
     *
     * @param name what the message calls the array
     * @throws TensorFormatException where a size is negative, there are more dimensions than NumPy has, or the bytes pass 63 bits
     */
    public static Shape of(long[] sizes, DType dtype, String name) throws TensorFormatException {
        if (sizes.length > MOST_DIMENSIONS) {
            throw TensorFormatException.cannotRead(
                    name, "its shape has " + sizes.length + " dimensions; NumPy knows at most " + MOST_DIMENSIONS);
        }
        try {
            // The other sizes of an empty array may not overflow either: strides are made of them.
            long bytes = dtype.bytes();
            for (long size : sizes) {
                bytes = Math.multiplyExact(bytes, Math.max(1, size));
            }
            return Shape.of(sizes);
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw TensorFormatException.cannotRead(
                    name,
                    "the product of its shape " + Arrays.toString(sizes) + " exceeds 64 bits; the file is damaged",
                    e);
        }
    }
}
