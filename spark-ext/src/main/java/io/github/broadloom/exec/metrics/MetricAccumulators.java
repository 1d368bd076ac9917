package io.github.broadloom.exec.metrics;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/** The accumulators of one job: they are sent with its tasks, and Spark's UI shows them by name. */
public final class MetricAccumulators implements Serializable {
    private static final long serialVersionUID = 1L;

    private final EnumMap<TaskMetric, LongAccumulator> accumulators = new EnumMap<>(TaskMetric.class);

    /** On the driver: accumulators that Spark forgets when the job's tasks are forgotten. */
    public static MetricAccumulators register(SparkContext context) {
        MetricAccumulators registered = new MetricAccumulators();
        for (TaskMetric metric : TaskMetric.values()) {
            registered.accumulators.put(metric, context.longAccumulator(metric.accumulator()));
        }
        return registered;
    }

    void add(Map<TaskMetric, Long> figures) {
        figures.forEach((metric, figure) -> {
            LongAccumulator accumulator = accumulators.get(metric);
            if (accumulator != null) {
                accumulator.add(figure.longValue());
            }
        });
    }
}
