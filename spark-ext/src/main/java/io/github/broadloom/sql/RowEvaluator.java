package io.github.broadloom.sql;

import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import java.lang.ref.WeakReference;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/** Evaluates a program row by row, for the code that Spark generates. Serves one thread. */
public final class RowEvaluator implements RowFunction {
    /** What is made for rows of some shapes is kept for the next ones of these shapes, up to about this much and a few times more. */
    private static final long KEPT_BYTES = 1 << 20;

    private final CellBatch batch;
    private final @Nullable Object[] result = new Object[1];

    private RowEvaluator(BatchProgram program) {
        this.batch = new CellBatch(program, Devices.backend(Device.CPU), KEPT_BYTES);
        TaskContext task = TaskContext.get();
        if (task != null) {
            // a task may have thousands of partitions and an evaluator for each: the collector frees those that are
            // done
            WeakReference<RowEvaluator> self = new WeakReference<>(this);
            task.addTaskCompletionListener((TaskCompletionListener) ended -> {
                RowEvaluator known = self.get();
                if (known != null) {
                    known.close();
                }
            });
        }
    }

    /** Spark may read in one thread while the task ends in another. */
    private synchronized void close() {
        batch.close();
    }

    /** An evaluator of a program, which generated code has among its references. */
    public static RowFunction of(Object program) {
        return new RowEvaluator((BatchProgram) program);
    }

    /** As {@link #of}, of a program whose cells are the same in all rows: it is evaluated for the first one. */
    public static RowFunction once(Object program) {
        RowFunction each = of(program);
        return new RowFunction() {
            private boolean isKnown;
            private @Nullable Object value;

            @Override
            public synchronized @Nullable Object evaluate(@Nullable Object[] cells) {
                if (!isKnown) {
                    value = each.evaluate(cells);
                    isKnown = true;
                }
                return value;
            }
        };
    }

    @Override
    public synchronized @Nullable Object evaluate(@Nullable Object[] cells) {
        boolean isDone = false;
        try {
            batch.add(cells);
            batch.evaluate();
            batch.next(result);
            Object value = result[0];
            isDone = true;
            return value instanceof ArrayData array ? array.copy() : value; // who asks may keep it
        } finally {
            if (!isDone) {
                batch.close(); // the row that failed is none for the next to wait for
            }
        }
    }
}
