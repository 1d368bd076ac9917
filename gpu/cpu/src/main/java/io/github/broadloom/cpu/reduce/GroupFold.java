package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.device.Backend;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.Tensor;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups of rows that come one after the other, from the first of a block on: those of a block are joined in their order, and what blocks come to is a row of a {@link RowFold}. The bits are those of all
 * rows at once.
 */
public final class GroupFold {
    private final Grouped whole;
    private final long rows;
    private final int columns;
    private final RowFold blocks;
    private @Nullable Object accumulators;

    /** A fold without rows; only dtypes, shapes and the function are looked at. */
    public GroupFold(Grouped whole) {
        this.whole = whole;
        this.rows = whole.operand().shape().size(0);
        this.columns = Math.toIntExact(whole.operand().shape().inner().numel());
        this.blocks = blocks(whole);
    }

    /** What brings blocks of rows together. */
    public static RowFold blocks(Grouped whole) {
        return RowFold.of(whole.overBlocks());
    }

    /** What the blocks come to that are complete. */
    public RowFold blocks() {
        return blocks;
    }

    /**
     * Takes the next rows.
     *
     * @param part over their operands
     * @param firstRow of them
     */
    public void push(Backend backend, Grouped part, long firstRow) {
        try (Evaluated values = Evaluated.of(backend, part.operand());
                Evaluated labels = Evaluated.of(backend, part.told())) {
            push(values.value(), labels.value(), firstRow);
        }
    }

    private void push(Tensor values, Tensor labels, long firstRow) {
        long count = values.shape().size(0);
        boolean isCommon = labels.numel() == count;
        Tensor source = values.reshape(1, count, columns);
        Tensor names =
                (isCommon ? labels : labels.expand(values.shape().toArray())).reshape(1, count, isCommon ? 1 : columns);
        try {
            int @Nullable [] common = isCommon ? GroupRows.groups(whole, names, 0, 0, count) : null;
            GroupRows joined = new GroupRows(whole, source, names, common);
            for (long row = firstRow; row < firstRow + count; ) {
                long end = whole.function().blockEnd(row, firstRow + count);
                push(joined, row - firstRow, end - row);
                if (end == rows
                        || whole.function().blockOf(end) > whole.function().blockOf(row)) {
                    finish(whole.function().blockOf(row));
                }
                row = end;
            }
        } finally {
            source.releaseCopyOf(values);
            names.releaseCopyOf(labels);
        }
    }

    private void push(GroupRows joined, long row, long count) {
        if (accumulators == null) {
            accumulators = joined.none(columns);
        }
        int panel = GroupRows.panelColumns(whole, columns);
        for (int column = 0; column < columns; column += panel) {
            Box sizes = new Box(1, count, Math.min(panel, columns - column));
            joined.join(new Box(0, row, column), sizes, accumulators, column, columns);
        }
    }

    private void finish(long block) {
        if (accumulators != null) {
            blocks.push(new FoldNode(0, block, accumulators));
            accumulators = null;
        }
    }

    /** The bytes of what came so far, array by array. */
    public LongStream sizes() {
        LongStream open =
                accumulators == null ? LongStream.empty() : LongStream.of(new FoldNode(0, 0, accumulators).sizeBytes());
        return LongStream.concat(open, blocks.sizes());
    }
}
