package io.github.broadloom.zarr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;

/**
 * The value of the elements that no chunk holds.
 *
 * @param bits of an element, at the low end
 */
record Fill(DType dtype, long bits) implements Serializable {
    /**
     * The fill value that is this number, or Boolean.
     *
     * @throws IllegalArgumentException where the dtype does not hold it
     */
    static Fill of(DType dtype, Object value) {
        Tensor scalar = Tensors.scalar(value, dtype);
        try {
            return new Fill(dtype, bits(scalar.address(), dtype.bytes()));
        } finally {
            scalar.release();
        }
    }

    private static long bits(long address, int bytes) {
        return switch (bytes) {
            case 1 -> RawMemory.getByte(address) & 0xFFL;
            case 2 -> RawMemory.getShort(address) & 0xFFFFL;
            case 4 -> RawMemory.getInt(address) & 0xFFFF_FFFFL;
            default -> RawMemory.getLong(address);
        };
    }

    /** A zero-dim tensor of it, to release. */
    private Tensor scalar() {
        Tensor scalar = Tensors.empty(dtype, Shape.SCALAR);
        long address = scalar.address();
        switch (dtype.bytes()) {
            case 1 -> RawMemory.putByte(address, (byte) bits);
            case 2 -> RawMemory.putShort(address, (short) bits);
            case 4 -> RawMemory.putInt(address, (int) bits);
            default -> RawMemory.putLong(address, bits);
        }
        return scalar;
    }

    void into(Tensor target) {
        Tensor scalar = scalar();
        try {
            target.fill_(scalar);
        } finally {
            scalar.release();
        }
    }

    /** The value: Boolean, Long or Double. */
    Object value() {
        Tensor scalar = scalar();
        try {
            return scalar.item();
        } finally {
            scalar.release();
        }
    }

    /** Whether all elements of a contiguous tensor have its bits. */
    boolean isAllOf(Tensor tensor) {
        int bytes = dtype.bytes();
        try (Hold held = Hold.of(tensor)) {
            long end = tensor.address() + tensor.numel() * bytes;
            for (long at = tensor.address(); at < end; at += bytes) {
                if (bits(at, bytes) != bits) {
                    return false;
                }
            }
            return true;
        }
    }
}
