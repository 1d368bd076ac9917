package io.github.broadloom.cpu;

import io.github.broadloom.device.Parallel;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;

/**
 * Looks elements up. Where neighbours along the last dimensions have the same indices, they are copied together; a place is what comes before these dimensions.
 */
final class GatherPass implements Parallel.Worker {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 15;

    private final Gather gather;
    private final Shape operand;
    private final int width;
    private final long operandAddress;
    private final long resultAddress;

    /** By the dimensions of the result: those of the operand, 0 along that of the indices and where it broadcasts, then those of each index. */
    private final long[][] strides;

    private final long[] indexAddresses;
    private final long[] indexedStrides;
    private final Shape places;
    private final BoxCopy together;
    private final long togetherElements;

    private GatherPass(Gather gather, Tensor operand, List<Tensor> indices, Tensor result) {
        this.gather = gather;
        this.operand = operand.shape();
        this.width = operand.dtype().bytes();
        this.operandAddress = operand.address();
        this.resultAddress = result.address();
        Shape shape = result.shape();
        this.strides = new long[1 + indices.size()][];
        strides[0] = new long[shape.rank()];
        for (int d = 0; d < operand.rank(); d++) {
            int place = gather.placeOf(d);
            if (place >= 0) {
                strides[0][place] =
                        operand.shape().size(d) == 1 ? 0 : operand.layout().stride(d);
            }
        }
        this.indexAddresses = new long[indices.size()];
        this.indexedStrides = new long[indices.size()];
        for (int i = 0; i < indices.size(); i++) {
            Tensor index = indices.get(i);
            indexAddresses[i] = index.address();
            indexedStrides[i] = operand.layout().stride(gather.dim() + i);
            strides[1 + i] = new long[shape.rank()];
            for (int d = 0; d < shape.rank(); d++) {
                strides[1 + i][d] =
                        index.shape().size(d) == 1 ? 0 : index.layout().stride(d);
            }
        }
        int apart = shape.rank();
        while (apart > gather.dim() + 1 && haveInCommon(apart - 1)) {
            apart--;
        }
        this.places = shape.dims(0, apart);
        Shape box = shape.dims(apart, shape.rank());
        this.togetherElements = box.numel();
        this.together = BoxCopy.of(
                width,
                box.toArray(),
                Arrays.copyOfRange(strides[0], apart, shape.rank()),
                Layout.contiguous(box).strides());
    }

    private boolean haveInCommon(int dim) {
        for (int i = 1; i < strides.length; i++) {
            if (strides[i][dim] != 0) {
                return false;
            }
        }
        return true;
    }

    /** A fresh contiguous tensor with the elements. */
    static Tensor run(Gather gather, Tensor operand, List<Tensor> indices, int threads) {
        Tensor result = Tensors.empty(gather.dtype(), gather.shape());
        if (result.numel() > 0) {
            GatherPass model = new GatherPass(gather, operand, indices, result);
            long count = model.places.numel();
            long grain = Math.max(1, GRAIN_ELEMENTS / model.togetherElements);
            long length = Parallel.rangeLength(threads, count, grain);
            try {
                Parallel.forRanges(threads, count, length, () -> new GatherPass(gather, operand, indices, result));
            } catch (RuntimeException | Error e) {
                result.release();
                throw e;
            }
        }
        return result;
    }

    @Override
    public void run(long first, long end) {
        long[] at = new long[places.rank()];
        long[] offsets = new long[strides.length];
        long rest = first;
        for (int d = at.length - 1; d >= 0; d--) {
            at[d] = rest % places.size(d);
            rest /= places.size(d);
            move(offsets, d, at[d]);
        }
        long bytes = togetherElements * width;
        for (long place = first; place < end; place++) {
            long from = operandAddress + element(offsets) * width;
            long to = resultAddress + place * bytes;
            if (togetherElements == 1) {
                RawMemory.copyElement(from, to, width);
            } else {
                together.copy(null, from, null, to);
            }
            advance(at, offsets);
        }
    }

    private void advance(long[] at, long[] offsets) {
        for (int d = at.length - 1; d >= 0; d--) {
            if (++at[d] < places.size(d)) {
                move(offsets, d, 1);
                return;
            }
            move(offsets, d, 1 - places.size(d));
            at[d] = 0;
        }
    }

    private void move(long[] offsets, int dim, long steps) {
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] += steps * strides[i][dim];
        }
    }

    /** Where in the operand the first element of a place is. */
    private long element(long[] offsets) {
        long element = offsets[0];
        for (int i = 0; i < indexAddresses.length; i++) {
            long index = RawMemory.getLong(indexAddresses[i] + Long.BYTES * offsets[1 + i]);
            element += gather.placeOf(index, i, operand.size(gather.dim() + i)) * indexedStrides[i];
        }
        return element;
    }
}
