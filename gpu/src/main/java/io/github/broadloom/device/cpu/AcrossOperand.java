package io.github.broadloom.device.cpu;

import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/**
 * What an {@link AcrossPass} reads of one float32 operand: an array of as many elements as it has for a block of columns and
 * all rows. It is read again only where it changes, so an operand that is broadcast along the loops around stays in the cache.
 */
final class AcrossOperand {
    private static final int BYTES = Float.BYTES;

    private final Tensor tensor;
    private final long columnStride;
    private final int rows;
    private final int width;
    private final long rowStride;
    private final float[] array;
    private final StridedCopy full;
    private long loadedOffset = -1;
    private int loadedColumns;

    /**
     * @param columnStride its step from column to column, in elements
     * @param rowStride its step along the reduced loop
     * @param width the columns of a block in the array
     */
    AcrossOperand(Tensor tensor, long columnStride, long rowStride, int rows, int width) {
        this.tensor = tensor;
        this.columnStride = columnStride;
        this.rowStride = rowStride;
        this.rows = rowStride == 0 ? 1 : rows;
        this.width = columnStride == 0 ? 1 : width;
        this.array = new float[this.rows * this.width];
        this.full = copyOf(this.width);
    }

    float[] array() {
        return array;
    }

    /**
     * Reads a block.
     *
     * @param offset where it begins, in elements from the tensor's first
     */
    void load(long offset, int columns) {
        if (offset == loadedOffset && columns <= loadedColumns) {
            return;
        }
        loadedOffset = offset;
        loadedColumns = columns;
        StridedCopy copy = width == 1 || columns == width ? full : copyOf(columns);
        copy.copy(null, tensor.address() + offset * BYTES, array, RawMemory.firstElement(array));
    }

    /** The innermost loop is the one whose elements lie together. */
    private StridedCopy copyOf(int columns) {
        var down = new StridedCopy.Loop(rows, rowStride * BYTES, (long) width * BYTES);
        var along = new StridedCopy.Loop(columns, columnStride * BYTES, BYTES);
        boolean columnsLieTogether = rows == 1 || columnStride == 1;
        return new StridedCopy(BYTES, columnsLieTogether ? List.of(down, along) : List.of(along, down));
    }
}
