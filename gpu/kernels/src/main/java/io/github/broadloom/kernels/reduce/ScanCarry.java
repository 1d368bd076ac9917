package io.github.broadloom.kernels.reduce;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.List;

/**
 * What the rows before a chunk leave for a scan that goes on with the chunk: the stack of a binary counter that stands at the
 * chunk's first row. The blocks that no row of the chunk joins are one already, so there is one vector more than the
 * chunk's own rows join: at most one for each bit of their number.
 *
 * @param firstRow the global index of the row that comes next
 * @param counter what the counter shows of it: a block for each bit. Rows are counted from the first that may still be joined
 * @param vectors {@code double[]} or {@code long[]}, an accumulator for each element of a row: what is below those
 *     blocks in one, if anything is, then the blocks from the largest to the smallest
 */
public record ScanCarry(long firstRow, long counter, List<Object> vectors) implements Serializable {
    private static final long serialVersionUID = 2L;

    /** Nothing is before the first row. */
    public static final ScanCarry NONE = new ScanCarry(0, 0, List.of());

    public ScanCarry {
        vectors = List.copyOf(vectors);
    }

    /** The bytes of its numbers. */
    public long sizeBytes() {
        return vectors.stream().mapToLong(Array::getLength).sum() * Long.BYTES;
    }
}
