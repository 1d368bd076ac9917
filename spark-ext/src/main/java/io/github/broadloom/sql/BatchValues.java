package io.github.broadloom.sql;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.expr.Batch;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of one program for rows whose cells have the same shapes: planned once for as many rows, evaluated for each batch. */
final class BatchValues implements AutoCloseable {
    private final Expr row;
    private final Backend backend;
    private final CellWriter writer;
    private final long valueBytes;
    private @Nullable Planned planned;
    private long address;

    /** @param row over the cells of one row */
    BatchValues(Expr row, Backend backend) {
        this.row = row;
        this.backend = backend;
        this.writer = new CellWriter(row.dtype(), row.shape().toArray());
        this.valueBytes = row.dtype().sizeBytes(row.shape().numel());
    }

    /** What is computed of so many rows, and where the values go. */
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

    /** How much the value of a row comes to. */
    long valueBytes() {
        return valueBytes;
    }

    /** Forgets what was planned, and releases the values. It can be evaluated again. */
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
