package io.github.broadloom.exec.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What this JVM's tasks, and its driver, have counted since it started: those of tasks that failed in the end among it. */
public final class MetricTotals {
    private static final Map<TaskMetric, LongAdder> COUNTED = new ConcurrentHashMap<>();
    private static final LongAdder SHUFFLED = new LongAdder();

    private MetricTotals() {}

    static void add(Map<TaskMetric, Long> figures) {
        figures.forEach((metric, figure) -> adder(metric).add(figure));
    }

    static void addShuffled(long bytes) {
        SHUFFLED.add(bytes);
    }

    public static long of(TaskMetric metric) {
        return adder(metric).sum();
    }

    /** Bytes that Broadloom's tasks fetched from other executors: cached chunks, and what was shuffled. */
    public static long movedBytes() {
        return of(TaskMetric.FETCHED_BYTES) + SHUFFLED.sum();
    }

    private static LongAdder adder(TaskMetric metric) {
        return COUNTED.computeIfAbsent(metric, any -> new LongAdder());
    }
}
