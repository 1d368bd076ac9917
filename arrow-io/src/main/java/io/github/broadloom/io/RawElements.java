package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Reference;
import java.nio.ByteOrder;

/** Elements as files have them. */
public final class RawElements {
    private static final long EVERY_BYTE_LOW_BIT = 0x0101_0101_0101_0101L;

    private RawElements() {}

    /**
     * Makes elements that came out of a file those of this machine, in place: in its byte order, and of bool 0 or 1, on which kernels count.
     *
     * @param order that of the file
     * @param offset bytes from the beginning of the storage
     */
    public static void toNative(DType dtype, ByteOrder order, Storage storage, long offset, long elements) {
        int bytes = dtype.bytes();
        long address = storage.address() + offset;
        if (dtype == DType.BOOL) {
            normaliseBooleans(address, elements);
        } else if (bytes > 1 && order != ByteOrder.nativeOrder()) {
            RawMemory.swapBytes(address, elements, bytes);
        }
        Reference.reachabilityFence(storage);
    }

    /** The array whose elements are the first bytes of a storage, as they were in the file; they are made those of this machine. */
    public static Tensor array(Storage storage, DType dtype, ByteOrder order, Shape shape) {
        toNative(dtype, order, storage, 0, shape.numel());
        return Tensor.of(dtype, Layout.contiguous(shape), storage);
    }

    /** Memory that is in order already is only read. */
    private static void normaliseBooleans(long address, long count) {
        long i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            if ((RawMemory.getLong(address + i) & ~EVERY_BYTE_LOW_BIT) != 0) {
                normaliseSlowly(address + i, Long.BYTES);
            }
        }
        normaliseSlowly(address + i, count - i);
    }

    private static void normaliseSlowly(long address, long count) {
        for (long i = 0; i < count; i++) {
            byte value = RawMemory.getByte(address + i);
            if ((value & ~1) != 0) {
                RawMemory.putByte(address + i, (byte) 1);
            }
        }
    }
}
