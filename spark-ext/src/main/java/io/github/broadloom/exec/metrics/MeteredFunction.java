package io.github.broadloom.exec.metrics;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

public final class MeteredFunction<T, U> extends AbstractFunction1<Iterator<T>, U> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final MetricAccumulators accumulators;
    private final Body<T, U> body;

    /** What is done; it is sent with the tasks. */
    public interface Body<T, U> extends Serializable {
        U run(TaskContext context, Iterator<T> elements);
    }

    /** @param accumulators which the tasks tell what they count */
    public MeteredFunction(MetricAccumulators accumulators, Body<T, U> body) {
        this.accumulators = accumulators;
        this.body = body;
    }

    @Override
    public U apply(Iterator<T> elements) {
        TaskContext context = TaskContext.get();
        TaskMeter.of(context).tell(accumulators);
        return body.run(context, elements);
    }
}
