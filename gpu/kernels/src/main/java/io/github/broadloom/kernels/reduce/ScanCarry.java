package io.github.broadloom.kernels.reduce;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;

/**
 * What the rows before a chunk leave for a scan that goes on with the chunk: the stack of a binary counter that stands at the
 * chunk's first row. The blocks that no row of the chunk joins are one already, so there is one vector more than the
 * chunk's own rows join: at most one for each bit of their number.
 */
public final class ScanCarry implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Nothing is before the first row. */
    public static final ScanCarry NONE = new ScanCarry(0, 0, List.of());

    private final long firstRow;
    private final long counter;
    private final Object[] vectors;

    /**
     * @param firstRow the global index of the row that comes next
     * @param counter what the counter shows of it: a block for each bit
     * @param vectors {@code double[]} or {@code long[]}, an accumulator for each element of a row: what is below those
     *     blocks in one, if anything is, then the blocks from the largest to the smallest
     */
    public ScanCarry(long firstRow, long counter, List<Object> vectors) {
        this.firstRow = firstRow;
        this.counter = counter;
        this.vectors = vectors.toArray();
    }

    /** The bytes of its numbers. */
    public long sizeBytes() {
        return Arrays.stream(vectors).mapToLong(Array::getLength).sum() * Long.BYTES;
    }

    /** The global index of the row that comes next. */
    public long firstRow() {
        return firstRow;
    }

    /** Where the counter stands, the rows of whose blocks are counted from the first that may still be joined. */
    public long counter() {
        return counter;
    }

    /** The vectors of the stack, from the bottom. */
    public int depth() {
        return vectors.length;
    }

    /** A vector of the stack. */
    public Object vector(int place) {
        return vectors[place];
    }
}
