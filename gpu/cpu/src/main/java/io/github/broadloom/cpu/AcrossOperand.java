package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * What an {@link AcrossPass} reads of one float32 operand: an array of as many elements as it has for a block of columns and
 * all rows, laid out as a {@link FoldKernel} reads it. It is read again only where it changes, so an operand that is broadcast
 * along the loops around stays in the cache.
 */
final class AcrossOperand {
    private static final int BYTES = Float.BYTES;
    private static final int GROUP = FoldKernel.GROUP;

    private final Tensor tensor;
    private final long columnStride;
    private final int rows;
    private final int width;
    private final long rowStride;
    private final int lanes;
    private final float[] array;
    private final List<Piece> full;
    private long loadedOffset = -1;
    private int loadedColumns;

    /** Some of the elements; where they begin is in bytes from the first. */
    private record Piece(BoxCopy copy, long from, long to) {}

    /** Rows or columns from {@code first} on: {@code blocks} times {@code length}. */
    private record Span(int first, int blocks, int length) {}

    /** @param lanes how many columns the kernel reads at a time; a block has {@code width} in the array */
    AcrossOperand(Tensor tensor, long columnStride, long rowStride, int rows, int width, int lanes) {
        this.tensor = tensor;
        this.columnStride = columnStride;
        this.rowStride = rowStride;
        this.lanes = lanes;
        this.rows = rowStride == 0 ? 1 : rows;
        this.width = columnStride == 0 ? 1 : width;
        int elements = isVarying() ? (rows + GROUP - 1) / GROUP * GROUP * width : this.rows * this.width;
        this.array = new float[elements + Simd.SPARE];
        this.full = pieces(this.width);
    }

    private boolean isVarying() {
        return columnStride != 0 && rowStride != 0;
    }

    float[] array() {
        return array;
    }

    /** Reads a block that begins so many elements from the tensor's first. */
    void load(long offset, int columns) {
        if (offset == loadedOffset && columns <= loadedColumns) {
            return;
        }
        loadedOffset = offset;
        loadedColumns = columns;
        long from = tensor.address() + offset * BYTES;
        long to = RawMemory.firstElement(array);
        for (Piece piece : width == 1 || columns == width ? full : pieces(columns)) {
            piece.copy().copy(null, from + piece.from(), array, to + piece.to());
        }
    }

    private List<Piece> pieces(int columns) {
        if (!isVarying()) {
            var down = new BoxCopy.Loop(rows, rowStride * BYTES, BYTES);
            var along = new BoxCopy.Loop(columns, columnStride * BYTES, BYTES);
            return List.of(new Piece(new BoxCopy(BYTES, List.of(rows == 1 ? along : down)), 0, 0));
        }
        List<Piece> pieces = new ArrayList<>();
        for (Span down : spans(rows, GROUP)) {
            for (Span along : spans(columns, lanes)) {
                long from = down.first() * rowStride + along.first() * columnStride;
                long to = (long) down.first() * width + (long) along.first() * GROUP;
                pieces.add(new Piece(copyOf(down, along), from * BYTES, to * BYTES));
            }
        }
        return pieces;
    }

    /** What is there in whole blocks, and what is left. */
    private static List<Span> spans(int count, int block) {
        int whole = count / block * block;
        List<Span> spans = new ArrayList<>();
        if (whole > 0) {
            spans.add(new Span(0, count / block, block));
        }
        if (whole < count) {
            spans.add(new Span(whole, 1, count - whole));
        }
        return spans;
    }

    /** The innermost loop is the one whose elements lie together. */
    private BoxCopy copyOf(Span down, Span along) {
        var groups = new BoxCopy.Loop(down.blocks(), GROUP * rowStride * BYTES, (long) GROUP * width * BYTES);
        var vectors = new BoxCopy.Loop(along.blocks(), lanes * columnStride * BYTES, (long) GROUP * lanes * BYTES);
        var row = new BoxCopy.Loop(down.length(), rowStride * BYTES, (long) lanes * BYTES);
        var lane = new BoxCopy.Loop(along.length(), columnStride * BYTES, BYTES);
        return new BoxCopy(
                BYTES, columnStride == 1 ? List.of(groups, row, vectors, lane) : List.of(groups, vectors, lane, row));
    }
}
