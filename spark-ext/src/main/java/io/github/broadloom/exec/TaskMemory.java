package io.github.broadloom.exec;

import io.github.broadloom.tensor.Memory;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * How much off-heap memory a task has, where the configuration says so: with a local master its part of this JVM's limit, on a cluster its part of what is set aside for
 * an executor beside its heap.
 */
public final class TaskMemory {
    private static final String OVERHEAD = "spark.executor.memoryOverhead";
    private static final String CORES = "spark.executor.cores";

    private TaskMemory() {}

    /** The bytes for each of the tasks that run at a time, or {@link Long#MAX_VALUE}. */
    public static long of(SparkContext context) {
        if (context.isLocal()) {
            int tasks = Math.max(1, context.defaultParallelism());
            return Memory.isLimitSet() ? Math.max(1, Memory.limitBytes() / tasks) : Long.MAX_VALUE;
        }
        return ofCluster(context.getConf());
    }

    static long ofCluster(SparkConf conf) {
        if (!conf.contains(OVERHEAD) || !conf.contains(CORES)) {
            return Long.MAX_VALUE;
        }
        int tasks = Math.max(1, conf.getInt(CORES, 1) / Math.max(1, conf.getInt("spark.task.cpus", 1)));
        return Math.max(1, (conf.getSizeAsMb(OVERHEAD) << 20) / tasks);
    }
}
