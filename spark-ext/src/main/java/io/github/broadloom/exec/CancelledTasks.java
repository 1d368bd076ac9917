package io.github.broadloom.exec;

import io.github.broadloom.tensor.Cancellation;
import org.apache.spark.TaskContext;

/** Ends the loops of a task that Spark has told to end: its job was cancelled, or a duplicate was faster. */
public final class CancelledTasks implements Cancellation.Question {
    @Override
    public void ask() {
        if (!SparkJars.present()) {
            return;
        }
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.killTaskIfInterrupted();
        }
    }
}
