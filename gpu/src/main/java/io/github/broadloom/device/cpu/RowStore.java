package io.github.broadloom.device.cpu;

import io.github.broadloom.device.Accumulators;
import io.github.broadloom.tensor.Tensor;

/** Writes finished accumulators into a contiguous tensor, in the order in which they come. */
final class RowStore implements RowPipeline.Output {
    private static final int BLOCK = 1024;

    private final Accumulators accumulators;
    private final double divisor;
    private final Tensor result;
    private final long address;
    private long written;

    RowStore(Accumulators accumulators, double divisor, Tensor result) {
        this.accumulators = accumulators;
        this.divisor = divisor;
        this.result = result;
        this.address = result.address();
    }

    @Override
    public void accept(Object values, int from, int count) {
        accumulators.store(
                values,
                from,
                count,
                divisor,
                result.dtype(),
                address + written * result.dtype().bytes());
        written += count;
    }

    /** The reduction of no values: 0, or as a mean 0 / 0. */
    void fillIdentity() {
        Object identity = accumulators.allocate(BLOCK);
        while (written < result.numel()) {
            accept(identity, 0, (int) Math.min(BLOCK, result.numel() - written));
        }
    }
}
