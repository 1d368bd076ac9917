package io.github.broadloom.sql;

import io.github.broadloom.device.Backend;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch whose cells have the same shapes: a tensor for each place of a row, which holds the cells of one row behind those of the
 * other. What is made for them serves the next batch too.
 */
final class StackedRows implements AutoCloseable {
    private final List<TensorProgram> programs;
    private final CellReader[] readers;
    /** Of the cell at each place; null where there is none. */
    private final @Nullable Shape[] shapes;
    /** The values of each program; null where a cell that it reads is null. */
    private final @Nullable BatchValues[] values;
    /** The cells at the places that some of these programs read. */
    private final @Nullable Tensor[] stacks;

    /** Where the next cell of each of these goes. */
    private final long[] ends;

    private final boolean[] isRead;
    private final long[] cellBytes;
    private final long rowBytes;
    private int capacity;
    private int count;

    /**
     * No rows yet.
     *
     * @param shapes of the cell at each place; null where there is none
     * @throws IllegalArgumentException naming the function and its arguments, where the shapes do not go together
     */
    StackedRows(BatchProgram batch, Backend backend, List<@Nullable Shape> shapes) {
        this.programs = batch.programs();
        this.readers = batch.cells().toArray(CellReader[]::new);
        this.shapes = shapes.toArray(Shape[]::new);
        this.stacks = new Tensor[shapes.size()];
        this.ends = new long[shapes.size()];
        this.isRead = new boolean[shapes.size()];
        this.cellBytes = new long[shapes.size()];
        List<Expr> cells = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            Shape shape = shapes.get(i);
            Shape some = shape == null ? Shape.SCALAR : shape;
            cells.add(Input.of(new Place(i), readers[i].dtype(), some));
            cellBytes[i] = readers[i].dtype().sizeBytes(some.numel());
        }
        this.values = new BatchValues[programs.size()];
        for (int i = 0; i < values.length; i++) {
            TensorProgram program = programs.get(i);
            int[] places = program.places();
            if (hasAll(places)) {
                values[i] = new BatchValues(program.row(cells), backend);
                for (int place : places) {
                    isRead[place] = true;
                }
            }
        }
        long sum = 0;
        for (int i = 0; i < isRead.length; i++) {
            sum += isRead[i] ? cellBytes[i] : 0;
        }
        for (BatchValues each : values) {
            sum += each == null ? 0 : each.valueBytes();
        }
        this.rowBytes = Math.max(1, sum);
    }

    /** The place of a cell, as the source of the input that stands for it. */
    record Place(int index) {}

    private boolean hasAll(int[] places) {
        for (int place : places) {
            if (shapes[place] == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether the cells of a row have these shapes. */
    boolean fits(@Nullable Object[] cells) {
        for (int i = 0; i < cells.length; i++) {
            Object cell = cells[i];
            Shape shape = shapes[i];
            if (cell == null || shape == null ? cell != null || shape != null : !readers[i].hasShape(cell, shape)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a row whose cells have these shapes.
     *
     * @throws IllegalArgumentException naming the argument, for cells that are no tensors; the rows are as they were
     */
    void add(@Nullable Object[] cells) {
        if (count == capacity) {
            grow();
        }
        for (int i = 0; i < stacks.length; i++) {
            Shape shape = shapes[i];
            Object cell = cells[i];
            if (isRead[i] && shape != null && cell != null) {
                readers[i].read(cell, shape, ends[i]);
            }
        }
        Reference.reachabilityFence(stacks);
        for (int i = 0; i < stacks.length; i++) {
            ends[i] += cellBytes[i];
        }
        count++;
    }

    /** The next row goes behind those that there are. */
    private void findEnds() {
        for (int i = 0; i < stacks.length; i++) {
            Tensor stack = stacks[i];
            ends[i] = stack == null ? 0 : stack.address() + count * cellBytes[i];
        }
    }

    private void grow() {
        forgetPlans(); // which hold the memory
        int larger = Math.max(1, capacity * 2);
        for (int i = 0; i < stacks.length; i++) {
            Shape shape = shapes[i];
            if (isRead[i] && shape != null) {
                Tensor old = stacks[i];
                Tensor grown = Tensors.empty(readers[i].dtype(), shape.withLeading(larger));
                if (old != null) {
                    grown.narrow(0, 0, count).copy_(old.narrow(0, 0, count));
                    old.release();
                }
                stacks[i] = grown;
            }
        }
        capacity = larger;
        findEnds();
    }

    /**
     * Computes the values of all rows.
     *
     * @throws ArithmeticException naming the function, where an integer is divided by zero
     */
    void evaluate() {
        if (count == 0) {
            return;
        }
        for (int i = 0; i < values.length; i++) {
            BatchValues each = values[i];
            if (each != null) {
                evaluate(each, programs.get(i));
            }
        }
    }

    private void evaluate(BatchValues each, TensorProgram program) {
        try {
            each.evaluate(count, this::stacked);
        } catch (ArithmeticException e) {
            throw program.failed(e);
        }
    }

    private Expr stacked(Input cell) {
        Tensor stack = cell.source() instanceof Place place ? stacks[place.index()] : null;
        return stack == null ? cell : Input.of(stack.narrow(0, 0, count));
    }

    /** The values for the row that comes next, valid until the one after it. */
    void next(@Nullable Object[] into) {
        for (int i = 0; i < values.length; i++) {
            BatchValues each = values[i];
            into[i] = each == null ? null : each.next();
        }
    }

    /** How much the cells and the values of a row come to. */
    long rowBytes() {
        return rowBytes;
    }

    /** How much memory is held for the rows. */
    long stackBytes() {
        return rowBytes * capacity;
    }

    /** Forgets the rows; the memory stays for others. */
    void clear() {
        count = 0;
        findEnds();
    }

    private void forgetPlans() {
        for (BatchValues each : values) {
            if (each != null) {
                each.close();
            }
        }
    }

    @Override
    public void close() {
        forgetPlans();
        for (Tensor stack : stacks) {
            if (stack != null) {
                stack.release();
            }
        }
    }
}
