package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of integers and bools, of one component. Sums and products wrap at 64 bits. */
final class LongAccumulators extends Accumulators {
    LongAccumulators(Reduction reduction) {
        super(reduction.join(), "long");
    }

    @Override
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        IntegerElements.read(dtype, elements, elementCount, (long[]) into);
    }

    @Override
    public boolean areElements(DType dtype) {
        return dtype == DType.INT64;
    }

    @Override
    public void store(Object values, int from, int count, DType dtype, long address) {
        long[] source = (long[]) values;
        if (dtype == DType.INT64) {
            RawMemory.copy(source, from, address, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            IntegerElements.write(source[from + i], dtype, address, i);
        }
    }
}
