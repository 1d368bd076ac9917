package io.github.broadloom.sql;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.cuda.NoCudaCompilerException;
import io.github.broadloom.exec.MissingKernels;
import io.github.broadloom.expr.Batch;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.sql.TensorProgram.Cells;
import io.github.broadloom.sql.TensorProgram.Place;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows for which a program is evaluated at once: those whose cells have the same shapes are stacked, each argument into one tensor, and are one
 * evaluation. Serves one thread.
 */
final class CellBatch implements AutoCloseable {
    /** How much is kept from batch to batch, in batches: shapes that come once are not kept for long. */
    private static final int KEPT_BATCHES = 4;

    private final TensorProgram program;
    private final Backend backend;
    private final long mostBytes;
    private final @Nullable CellReader[] readers;
    private final Map<List<Shape>, Group> groups = new HashMap<>();
    /** Of each row its group, and its place there; null for a row without a value. */
    private final List<@Nullable Group> rows = new ArrayList<>();

    private long bytes;

    /**
     * An empty batch.
     *
     * @param mostBytes about how much the arguments of a batch come to
     */
    CellBatch(TensorProgram program, Backend backend, long mostBytes) {
        this.program = program;
        this.backend = backend;
        this.mostBytes = mostBytes;
        this.readers = new CellReader[program.arguments().size()];
        for (int i = 0; i < readers.length; i++) {
            if (program.arguments().get(i) instanceof Cells cells) {
                readers[i] = new CellReader("call " + program.function(), program.name(i), cells.type());
            }
        }
    }

    /**
     * Adds a row; where one of its cells is null, its value will be.
     *
     * @param cells of the arguments; of a number it does not matter
     * @throws IllegalArgumentException naming the argument, for cells that are no tensors, and with PyTorch's text for shapes that do not
     *     go together; the batch is as it was
     */
    void add(@Nullable Object[] cells) {
        List<Shape> shapes = new ArrayList<>(cells.length);
        for (int i = 0; i < cells.length; i++) {
            CellReader reader = readers[i];
            Object cell = cells[i];
            if (reader == null) {
                shapes.add(Shape.SCALAR);
            } else if (cell == null) {
                rows.add(null);
                return;
            } else {
                shapes.add(reader.shape(cell));
            }
        }
        Group group = groups.get(shapes);
        if (group == null) {
            group = new Group(shapes);
            groups.put(shapes, group);
        }
        group.add(cells);
        rows.add(group);
    }

    /** Whether the next row should go to another batch. */
    boolean isFull() {
        return bytes >= mostBytes;
    }

    /** The value of each row, in their order: a boxed number, or an array of Spark's. The batch is empty then. */
    @Nullable Object[] take() {
        groups.values().forEach(Group::evaluate);
        @Nullable Object[] values = new Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            Group group = rows.get(i);
            values[i] = group == null ? null : group.next();
        }
        clear();
        return values;
    }

    /** Forgets the rows. Memory is kept for the next ones as far as they are likely to need it. */
    private void clear() {
        groups.values().forEach(Group::clear);
        rows.clear();
        bytes = 0;
        if (groups.values().stream().mapToLong(Group::stackBytes).sum() > KEPT_BATCHES * mostBytes) {
            close();
        }
    }

    /** Releases all memory; rows that were not taken are lost. */
    @Override
    public void close() {
        groups.values().forEach(Group::close);
        groups.clear();
        rows.clear();
        bytes = 0;
    }

    /** Rows of the same shapes. Its expression and its memory stay for the next batch. */
    private final class Group {
        private final List<Shape> shapes;
        private final Expr row;
        private final long rowBytes;
        private final @Nullable Tensor[] stacks;
        private int capacity;
        private int count;
        private final CellWriter writer;
        private final long valueBytes;
        private @Nullable Planned planned;
        private long at;

        Group(List<Shape> shapes) {
            this.shapes = shapes;
            this.row = shaped(shapes);
            this.stacks = new Tensor[shapes.size()];
            long sum = 0;
            for (int i = 0; i < stacks.length; i++) {
                sum += readers[i] == null
                        ? 0
                        : program.cells(i).dtype().sizeBytes(shapes.get(i).numel());
            }
            this.rowBytes = Math.max(1, sum);
            this.writer = new CellWriter(row.dtype(), row.shape().toArray());
            this.valueBytes = row.dtype().sizeBytes(row.shape().numel());
        }

        void add(@Nullable Object[] cells) {
            if (count == capacity) {
                grow();
            }
            for (int i = 0; i < stacks.length; i++) {
                Tensor stack = stacks[i];
                CellReader reader = readers[i];
                Object cell = cells[i];
                if (stack != null && reader != null && cell != null) {
                    reader.read(cell, shapes.get(i), stack.address() + count * cellBytes(stack));
                }
            }
            Reference.reachabilityFence(stacks);
            count++;
            bytes += rowBytes;
        }

        private static long cellBytes(Tensor stack) {
            return stack.dtype().sizeBytes(stack.shape().inner().numel());
        }

        private void grow() {
            forgetPlan();
            int larger = Math.max(1, capacity * 2);
            for (int i = 0; i < stacks.length; i++) {
                if (readers[i] != null) {
                    Tensor old = stacks[i];
                    Tensor grown = Tensors.empty(
                            program.cells(i).dtype(), shapes.get(i).withLeading(larger));
                    if (old != null) {
                        grown.narrow(0, 0, count).copy_(old.narrow(0, 0, count));
                        old.release();
                    }
                    stacks[i] = grown;
                }
            }
            capacity = larger;
        }

        void evaluate() {
            if (count == 0) {
                return;
            }
            Planned plan = planned;
            if (plan == null || plan.count() != count) {
                forgetPlan();
                plan = plan();
                planned = plan;
            }
            try {
                plan.work().run();
            } catch (NoCudaCompilerException e) {
                MissingKernels.tell(e);
                Devices.backend(Device.CPU).evaluateInto(plan.expr(), plan.values(), 1);
            }
            at = plan.values().address();
        }

        private Planned plan() {
            Expr all = Batch.of(row, count, input -> {
                Tensor stack = input.source() instanceof Place place ? stacks[place.argument()] : null;
                return stack == null ? input : Input.of(stack.narrow(0, 0, count));
            });
            Tensor values = Tensors.empty(all.dtype(), all.shape());
            return new Planned(count, all, backend.repeated(all, values), values);
        }

        /** The value of the row that comes next. */
        Object next() {
            Object cell = writer.cell(at);
            at += valueBytes;
            return cell;
        }

        long stackBytes() {
            return rowBytes * capacity;
        }

        /** Forgets the rows; the memory stays for others. */
        void clear() {
            count = 0;
        }

        private void forgetPlan() {
            Planned plan = planned;
            planned = null;
            if (plan != null) {
                plan.values().release();
            }
        }

        void close() {
            forgetPlan();
            for (Tensor stack : stacks) {
                if (stack != null) {
                    stack.release();
                }
            }
        }
    }

    /** What is computed of so many rows, and where the values go. */
    private record Planned(int count, Expr expr, Runnable work, Tensor values) {}

    private Expr shaped(List<Shape> shapes) {
        try {
            return program.row(shapes);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            List<String> given = new ArrayList<>();
            for (int i = 0; i < readers.length; i++) {
                if (readers[i] != null) {
                    given.add(program.name(i) + Arrays.toString(shapes.get(i).toArray()));
                }
            }
            throw new IllegalArgumentException(
                    "Cannot call " + program.function() + " with " + String.join(", ", given) + ": " + e.getMessage(),
                    e);
        }
    }
}
