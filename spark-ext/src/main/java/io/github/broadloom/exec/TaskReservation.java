package io.github.broadloom.exec;

import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskCompletionListener;

/**
 * What a task's tensors take of the memory that Spark has off the heap, so that cached chunks make room for them, and Spark's own operators know of them. Where Spark has less than they want, they are made all the same: the limit on
 * all of this JVM's tensors is what ends them.
 */
public final class TaskReservation extends MemoryConsumer implements TaskCompletionListener {
    /** Spark is asked for so much at a time. */
    private static final long STEP_BYTES = 1 << 20;

    private TaskReservation(TaskContext context) {
        super(context.taskMemoryManager(), MemoryMode.OFF_HEAP);
    }

    /** Of a task, which gives it back when it ends. */
    public static TaskReservation of(TaskContext context) {
        TaskReservation reservation = new TaskReservation(context);
        context.addTaskCompletionListener(reservation);
        return reservation;
    }

    /** The task is about to hold that much. */
    public void atLeast(long bytes) {
        long missing = bytes - getUsed();
        if (missing > 0) {
            acquireMemory((missing + STEP_BYTES - 1) & -STEP_BYTES);
        }
    }

    /** Tensors cannot give way. */
    @Override
    public long spill(long size, MemoryConsumer trigger) {
        return 0;
    }

    @Override
    public void onTaskCompletion(TaskContext context) {
        freeMemory(getUsed());
    }
}
