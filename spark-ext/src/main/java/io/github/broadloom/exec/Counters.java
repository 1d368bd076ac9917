package io.github.broadloom.exec;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/** The accumulators of one job: they travel with its tasks, and Spark's UI shows them by name. */
final class Counters implements Serializable {
    private static final long serialVersionUID = 1L;

    private final EnumMap<Counted, LongAccumulator> accumulators = new EnumMap<>(Counted.class);

    /** On the driver: accumulators that Spark forgets when the job's tasks are forgotten. */
    static Counters register(SparkContext context) {
        Counters counters = new Counters();
        for (Counted counted : Counted.values()) {
            counters.accumulators.put(counted, context.longAccumulator(counted.accumulator()));
        }
        return counters;
    }

    /** In a task, before it ends. */
    void add(Map<Counted, Long> figures) {
        figures.forEach((counted, figure) -> {
            LongAccumulator accumulator = accumulators.get(counted);
            if (accumulator != null) {
                accumulator.add(figure.longValue());
            }
        });
    }
}
