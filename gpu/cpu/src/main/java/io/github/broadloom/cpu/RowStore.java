package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.tensor.Tensor;

/** Writes finished accumulators into a contiguous tensor, in the order in which they come. */
final class RowStore implements RowPipeline.Output {
    private static final int BLOCK = 1024;

    private final Accumulators accumulators;
    private final Tensor result;
    private final long address;
    private long written;

    /** @param first the place of the first in the tensor, row-major */
    RowStore(Accumulators accumulators, Tensor result, long first) {
        this.accumulators = accumulators;
        this.result = result;
        this.address = result.address();
        this.written = first;
    }

    /** The next result goes to that place in the tensor, row-major. */
    void at(long place) {
        written = place;
    }

    @Override
    public void accept(Object values, int from, int count) {
        accumulators.store(
                values,
                from,
                count,
                result.dtype(),
                address + written * result.dtype().bytes());
        written += count / accumulators.components();
    }

    void fillIdentity() {
        Object identities = accumulators.identities(BLOCK);
        while (written < result.numel()) {
            int elements = (int) Math.min(BLOCK, result.numel() - written);
            accept(identities, 0, elements * accumulators.components());
        }
    }
}
