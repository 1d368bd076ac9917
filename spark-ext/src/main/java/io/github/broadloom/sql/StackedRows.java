package io.github.broadloom.sql;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.expr.Batch;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
    private final @Nullable Values[] values;
    /** The cells at the places that some of these programs read. */
    private final @Nullable Tensor[] stacks;

    /** Where the next cell of each of these goes. */
    private final long[] ends;

    private final boolean[] isRead;
    private final long[] cellBytes;
    private final long rowBytes;
    private int capacity;
    private int count;

    /** @throws IllegalArgumentException naming the function and its arguments, where the shapes do not go together */
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
        this.values = new Values[programs.size()];
        for (int i = 0; i < values.length; i++) {
            TensorProgram program = programs.get(i);
            int[] places = program.places();
            if (hasAll(places)) {
                values[i] = new Values(program.row(cells), backend);
                for (int place : places) {
                    isRead[place] = true;
                }
            }
        }
        long sum = 0;
        for (int i = 0; i < isRead.length; i++) {
            sum += isRead[i] ? cellBytes[i] : 0;
        }
        for (Values each : values) {
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

    /** @throws IllegalArgumentException naming the argument, for cells that are no tensors; the rows are as they were */
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

    /** @throws ArithmeticException naming the function, where an integer is divided by zero */
    void evaluate() {
        if (count == 0) {
            return;
        }
        for (int i = 0; i < values.length; i++) {
            Values each = values[i];
            if (each != null) {
                evaluate(each, programs.get(i));
            }
        }
    }

    private void evaluate(Values each, TensorProgram program) {
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
            Values each = values[i];
            into[i] = each == null ? null : each.next();
        }
    }

    long rowBytes() {
        return rowBytes;
    }

    long stackBytes() {
        return rowBytes * capacity;
    }

    void clear() {
        count = 0;
        findEnds();
    }

    private void forgetPlans() {
        for (Values each : values) {
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

    /** The values of one program for rows whose cells have the same shapes: planned once for as many rows, evaluated for each batch. */
    private static final class Values implements AutoCloseable {
        private final Expr row;
        private final Backend backend;
        private final CellWriter writer;
        private final long valueBytes;
        private @Nullable Planned planned;
        private long address;

        Values(Expr row, Backend backend) {
            this.row = row;
            this.backend = backend;
            this.writer = new CellWriter(row.dtype(), row.shape().toArray());
            this.valueBytes = row.dtype().sizeBytes(row.shape().numel());
        }

        private record Planned(int count, PreparedEvaluation work, Tensor values) {}

        /**
         * Computes the values of so many rows, which {@link #next} then gives.
         *
         * @param stacked the cells of these rows in the place of those of one, the same memory as before; after it changed, this must be
         *     closed first
         */
        void evaluate(int count, Function<Input, Expr> stacked) {
            Planned plan = planned;
            if (plan == null || plan.count() != count) {
                close();
                plan = plan(count, stacked);
                planned = plan;
            }
            plan.work().run();
            address = plan.values().address();
        }

        private Planned plan(int count, Function<Input, Expr> stacked) {
            Expr all = Batch.of(row, count, stacked);
            Tensor values = Tensors.empty(all.dtype(), all.shape());
            return new Planned(count, backend.prepared(all, values), values);
        }

        /** The value for the row that comes next: a boxed number, or an array of Spark's, which is valid until the one after it. */
        Object next() {
            Object cell = writer.passing(address);
            address += valueBytes;
            return cell;
        }

        long valueBytes() {
            return valueBytes;
        }

        @Override
        public void close() {
            Planned plan = planned;
            planned = null;
            if (plan != null) {
                plan.work().close();
                plan.values().release();
            }
        }
    }
}
