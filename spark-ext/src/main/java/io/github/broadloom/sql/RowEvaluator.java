package io.github.broadloom.sql;

import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/** Evaluates a program row by row, for the code that Spark generates. Serves one thread. */
public final class RowEvaluator {
    private final CellBatch batch;

    private RowEvaluator(TensorProgram program) {
        this.batch = new CellBatch(program, Devices.backend(Device.CPU), 1);
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.addTaskCompletionListener((TaskCompletionListener) ended -> batch.close());
        }
    }

    /** An evaluator of a program, which generated code has among its references. */
    public static RowEvaluator of(Object program) {
        return new RowEvaluator((TensorProgram) program);
    }

    /**
     * The value for a row: a boxed number, an array of Spark's, or null where a cell is null.
     *
     * @param cells of the arguments, boxed
     * @throws IllegalArgumentException naming the function, for cells that are no tensors or whose shapes do not go together
     */
    public @Nullable Object evaluate(@Nullable Object[] cells) {
        batch.add(cells);
        return batch.take()[0];
    }
}
