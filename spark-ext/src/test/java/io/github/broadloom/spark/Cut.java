package io.github.broadloom.spark;

import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Where the rows of a tensor may be cut: any two of these fall upon each other in another way. */
enum Cut {
    ONE_CHUNK,
    /** Chunks of three rows, and what is left over. */
    THREES,
    /** As {@link #THREES}, all of them one row further on: the first is one row longer. */
    SHIFTED,
    /** Chunks of 2, 3, 5, 7 rows and so on. */
    PRIMES,
    /** All rows in one chunk, but for the last one. */
    LAST_ROW_ALONE,
    ONE_ROW_EACH;

    private static final long[] PRIME_SIZES = {2, 3, 5, 7, 11, 13, 17, 19, 23};

    /** The cuts of so many rows. */
    RowGrid of(long rows) {
        List<Long> bounds = new ArrayList<>(List.of(0L));
        for (long next = size(0); next < rows; next += size(bounds.size() - 1)) {
            bounds.add(next);
        }
        bounds.add(rows);
        if (this == LAST_ROW_ALONE && rows > 1) {
            bounds.add(1, rows - 1);
        }
        return RowGrid.of(bounds.stream().mapToLong(Long::longValue).toArray());
    }

    /** The rows of a chunk, as long as there are as many. */
    private long size(int chunk) {
        return switch (this) {
            case ONE_CHUNK, LAST_ROW_ALONE -> Long.MAX_VALUE / 2;
            case THREES -> 3;
            case SHIFTED -> chunk == 0 ? 4 : 3;
            case PRIMES -> PRIME_SIZES[chunk];
            case ONE_ROW_EACH -> 1;
        };
    }

    /** A local tensor in these chunks. */
    DistributedTensor of(Tensor tensor, Broadloom broadloom) {
        RowGrid rows = of(tensor.rank() == 0 ? 1 : tensor.shape().size(0));
        LocalSource source = new LocalSource(tensor, ChunkGrid.of(tensor.shape(), rows), "tensor");
        return broadloom.of(Input.of(source, tensor.dtype(), tensor.shape()), null);
    }
}
