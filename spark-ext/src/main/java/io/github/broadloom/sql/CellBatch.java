package io.github.broadloom.sql;

import io.github.broadloom.device.Backend;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows for which programs are evaluated at once: those whose cells have the same shapes are stacked, the cells at each place into one tensor,
 * and are one evaluation of each program. Serves one thread.
 */
final class CellBatch implements AutoCloseable {
    /** How much is kept from batch to batch, in batches: shapes that come once are not kept for long. */
    private static final int KEPT_BATCHES = 4;

    private final BatchProgram program;
    private final CellReader[] readers;
    private final Backend backend;
    private final long mostBytes;
    private final Map<List<@Nullable Shape>, StackedRows> stacks = new HashMap<>();
    /** Where each row is, in the order in which they came. */
    private final List<StackedRows> rows = new ArrayList<>();

    /** Where the row before is: most have the shapes of their neighbours. */
    private @Nullable StackedRows last;

    private int taken;
    private long bytes;

    /** @param mostBytes about how much the cells and values of a batch come to */
    CellBatch(BatchProgram program, Backend backend, long mostBytes) {
        this.program = program;
        this.readers = program.cells().toArray(CellReader[]::new);
        this.backend = backend;
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a row; where a cell is null, so is the value of each program that reads it.
     *
     * @param cells of which nothing is kept
     * @throws IllegalArgumentException naming the argument, for cells that are no tensors, and with PyTorch's text for shapes that do not
     *     go together; the batch is as it was
     */
    void add(@Nullable Object[] cells) {
        StackedRows stack = last;
        if (stack == null || !stack.fits(cells)) {
            stack = stackOf(cells);
        }
        stack.add(cells);
        last = stack;
        rows.add(stack);
        bytes += stack.rowBytes();
    }

    private StackedRows stackOf(@Nullable Object[] cells) {
        List<@Nullable Shape> shapes = new ArrayList<>(cells.length);
        for (int i = 0; i < cells.length; i++) {
            Object cell = cells[i];
            shapes.add(cell == null ? null : readers[i].shape(cell));
        }
        StackedRows known = stacks.get(shapes);
        if (known == null) {
            known = new StackedRows(program, backend, shapes);
            stacks.put(shapes, known);
        }
        return known;
    }

    boolean isFull() {
        return bytes >= mostBytes;
    }

    void evaluate() {
        stacks.values().forEach(StackedRows::evaluate);
    }

    /**
     * The values for the row that comes next, one of each program: boxed numbers, or arrays of Spark's, valid until the one after it. After
     * the last row the batch is empty.
     */
    void next(@Nullable Object[] into) {
        rows.get(taken++).next(into);
        if (taken == rows.size()) {
            clear();
        }
    }

    /** Forgets the rows. Memory is kept for the next ones as far as they are likely to need it. */
    private void clear() {
        stacks.values().forEach(StackedRows::clear);
        rows.clear();
        taken = 0;
        bytes = 0;
        if (stacks.values().stream().mapToLong(StackedRows::stackBytes).sum() > KEPT_BATCHES * mostBytes) {
            close();
        }
    }

    @Override
    public void close() {
        stacks.values().forEach(StackedRows::close);
        stacks.clear();
        last = null;
        rows.clear();
        taken = 0;
        bytes = 0;
    }
}
