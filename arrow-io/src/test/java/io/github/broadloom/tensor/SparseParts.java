package io.github.broadloom.tensor;

import io.github.broadloom.shape.Shape;
import java.util.Arrays;

/** What the tests make sparse tensors of. */
final class SparseParts {
    private SparseParts() {}

    static Tensor indices(long[]... rows) {
        long[] all = Arrays.stream(rows).flatMapToLong(Arrays::stream).toArray();
        return Tensors.copyOf(all, rows.length, rows[0].length);
    }

    static long[] row(long... row) {
        return row;
    }

    /** Two entries at [0, 1] and one at [1, 2], of shape [2, 3]. */
    static SparseTensor uncoalesced() {
        return SparseTensor.of(indices(row(1, 0, 0), row(2, 1, 1)), Tensors.of(4.0, 1.0, 2.0), Shape.of(2, 3));
    }
}
