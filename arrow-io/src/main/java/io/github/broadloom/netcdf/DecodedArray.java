package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.lang.ref.Reference;

/**
 * Packed numbers, unpacked: in the arithmetic of the dtype that they become, as xarray does it.
 *
 * @param from the dtype of the packed ones
 * @param to float32 or float64
 * @param fills values that become NaN
 */
record DecodedArray(BlockReader packed, DType from, DType to, double factor, double summand, double[] fills)
        implements BlockReader {
    @Override
    public Tensor read(Box box) throws IOException {
        Tensor read = packed.read(box);
        Tensor doubles = read.to(DType.FLOAT64).contiguous();
        try {
            Tensor decoded = Tensors.empty(to, box.shape());
            if (to == DType.FLOAT32) {
                decodeFloats(doubles.address(), decoded.address(), decoded.numel());
            } else {
                decodeDoubles(doubles.address(), decoded.address(), decoded.numel());
            }
            Reference.reachabilityFence(doubles);
            Reference.reachabilityFence(decoded);
            return decoded;
        } finally {
            doubles.release();
            read.release();
        }
    }

    private void decodeFloats(long source, long target, long count) {
        float scale = (float) factor;
        float offset = (float) summand;
        for (long i = 0; i < count; i++) {
            double value = RawMemory.getDouble(source + 8 * i);
            RawMemory.putFloat(target + 4 * i, isFill(value) ? Float.NaN : (float) value * scale + offset);
        }
    }

    private void decodeDoubles(long source, long target, long count) {
        for (long i = 0; i < count; i++) {
            double value = RawMemory.getDouble(source + 8 * i);
            RawMemory.putDouble(target + 8 * i, isFill(value) ? Double.NaN : value * factor + summand);
        }
    }

    private boolean isFill(double value) {
        for (double fill : fills) {
            if (value == fill) {
                return true;
            }
        }
        return false;
    }

    @Override
    public BlockReader ofRows(long start, long end) {
        return new DecodedArray(packed.ofRows(start, end), from, to, factor, summand, fills);
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return packed.costBytes(box, ofWholeRows);
    }

    /** The packed numbers, and these as float64. */
    @Override
    public long readingBytes(Shape box) {
        return packed.readingBytes(box) + from.sizeBytes(box.numel()) + DType.FLOAT64.sizeBytes(box.numel());
    }
}
