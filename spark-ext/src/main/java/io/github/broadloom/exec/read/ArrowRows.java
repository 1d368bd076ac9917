package io.github.broadloom.exec.read;

import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;

/** Some rows of a tensor in an Arrow file: those of a batch, or all of it. */
interface ArrowRows extends Serializable {
    long rows();

    void read(long start, long end, Tensor target) throws IOException;

    /** Copies what a batch, or what was read of one, has of the rows from {@code start} on. */
    static void copy(Tensor batch, long first, Tensor target, long start) {
        Tensor rows = batch.rank() == 0 ? batch.unsqueeze(0) : batch;
        long from = Math.max(start, first);
        long to = Math.min(start + target.shape().size(0), first + rows.shape().size(0));
        if (from < to) {
            target.narrow(0, from - start, to - from).copy_(rows.narrow(0, from - first, to - from));
        }
    }
}
