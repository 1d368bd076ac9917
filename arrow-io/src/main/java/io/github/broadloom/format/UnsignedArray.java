package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.lang.ref.Reference;

/**
 * Integers without a sign, of which only uint8 is a dtype: uint16 is read as int32 and uint32 as int64, so that all values stay what they are.
 *
 * @param bits reads the same bits as integers with a sign
 * @param signed the dtype of those: int8, int16 or int32
 */
public record UnsignedArray(BlockReader bits, DType signed) implements BlockReader {
    /** @throws IllegalArgumentException where there is no dtype for integers of that width without a sign */
    public UnsignedArray {
        dtype(signed);
    }

    /** The dtype of the elements. */
    public DType dtype() {
        return dtype(signed);
    }

    private static DType dtype(DType signed) {
        if (signed.kind() == DType.Kind.INTEGER && signed.isSigned() && signed.bytes() < Long.BYTES) {
            return signed.bytes() == 1 ? DType.UINT8 : signed.bytes() == 2 ? DType.INT32 : DType.INT64;
        }
        throw new IllegalArgumentException("Cannot read unsigned integers of the bits of " + signed);
    }

    @Override
    public Tensor read(Box box) throws IOException {
        Tensor narrow = bits.read(box);
        if (signed.bytes() == 1) {
            return Tensor.of(dtype(), narrow.layout(), narrow.storage());
        }
        Tensor dense = narrow.contiguous();
        try {
            Tensor wide = Tensors.empty(dtype(), box.shape());
            widen(dense.address(), wide.address(), wide.numel());
            Reference.reachabilityFence(dense);
            Reference.reachabilityFence(wide);
            return wide;
        } finally {
            dense.releaseCopyOf(narrow);
            narrow.release();
        }
    }

    private void widen(long from, long to, long count) {
        if (signed.bytes() == 2) {
            for (long i = 0; i < count; i++) {
                RawMemory.putInt(to + 4 * i, RawMemory.getShort(from + 2 * i) & 0xffff);
            }
        } else {
            for (long i = 0; i < count; i++) {
                RawMemory.putLong(to + 8 * i, RawMemory.getInt(from + 4 * i) & 0xffff_ffffL);
            }
        }
    }

    @Override
    public BlockReader ofRows(long start, long end) {
        return new UnsignedArray(bits.ofRows(start, end), signed);
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return bits.costBytes(box, ofWholeRows);
    }

    /** The bits of the box, and what reading them takes. */
    @Override
    public long readingBytes(Shape box) {
        return bits.readingBytes(box) + (signed.bytes() == 1 ? 0 : signed.sizeBytes(box.numel()));
    }
}
