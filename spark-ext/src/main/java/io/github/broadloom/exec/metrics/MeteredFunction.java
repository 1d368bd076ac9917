package io.github.broadloom.exec.metrics;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** What a task of a job does with the elements of its partition, metered. */
public abstract class MeteredFunction<T, U> extends AbstractFunction1<Iterator<T>, U> implements Serializable {
    private static final long serialVersionUID = 1L;
    private @Nullable MetricAccumulators accumulators;

    /** Makes the tasks tell what they count. */
    public final void tell(MetricAccumulators whom) {
        accumulators = whom;
    }

    @Override
    public final U apply(Iterator<T> elements) {
        TaskContext context = TaskContext.get();
        TaskMeter meter = TaskMeter.of(context);
        if (accumulators != null) {
            meter.tell(accumulators);
        }
        return run(context, elements);
    }

    /** In the task, on its thread. */
    protected abstract U run(TaskContext context, Iterator<T> elements);
}
