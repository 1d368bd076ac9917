package io.github.broadloom.exec.jobs;

import io.github.broadloom.plan.Settings;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * How many tasks an application runs at a time, where its configuration says so: the threads of a local master, or the executors that were asked for, each with its cores.
 * Executors that come and go, or come with all the cores of their machines, are not counted: those that are there when a plan is
 * made tell nothing about later.
 */
public final class Slots {
    private Slots() {}

    /** The tasks at a time, or {@link Settings#UNKNOWN_SLOTS}. */
    public static int of(SparkContext context) {
        return context.isLocal() ? Math.max(1, context.defaultParallelism()) : ofCluster(context.getConf());
    }

    static int ofCluster(SparkConf conf) {
        boolean fixed = !conf.getBoolean("spark.dynamicAllocation.enabled", false)
                && conf.contains("spark.executor.instances")
                && conf.contains("spark.executor.cores");
        if (!fixed) {
            return Settings.UNKNOWN_SLOTS;
        }
        int perExecutor = conf.getInt("spark.executor.cores", 1) / Math.max(1, conf.getInt("spark.task.cpus", 1));
        return Math.max(1, conf.getInt("spark.executor.instances", 1) * perExecutor);
    }
}
