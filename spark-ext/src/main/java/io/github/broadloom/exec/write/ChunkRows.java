package io.github.broadloom.exec.write;

import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.tensor.Tensor;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The rows of a chunk as rows of a table: by one copy of memory each, into the same row again and again, as Spark's own scans do. */
final class ChunkRows implements Iterator<InternalRow> {
    private final RowFormat format;
    private final Tensor chunk;
    private final long firstRow;
    private final long count;
    private final TaskScope scope;
    private final UnsafeRow row;
    private long next;

    /**
     * Of a chunk.
     *
     * @param chunk with a leading dimension, contiguous
     * @param firstRow its place in the whole
     * @param scope has the chunk's memory, and lets go of it after the last row
     */
    ChunkRows(RowFormat format, Tensor chunk, long firstRow, TaskScope scope) {
        this.format = format;
        this.chunk = chunk;
        this.firstRow = firstRow;
        this.count = chunk.shape().size(0);
        this.scope = scope;
        this.row = format.blank();
    }

    @Override
    public boolean hasNext() {
        if (next == count) {
            scope.releaseAll();
        }
        return next < count;
    }

    @Override
    public InternalRow next() {
        if (next >= count) {
            throw new NoSuchElementException();
        }
        format.fill(row, firstRow + next, chunk.address() + next * format.elementBytes());
        next++;
        return row;
    }
}
