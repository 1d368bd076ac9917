package io.github.broadloom.exec.jobs;

import io.github.broadloom.plan.Settings;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** What the results of tasks may come to on the driver. */
public final class DriverMemory {
    /**
     * What the results of one job may come to: in local mode a result lies on this heap several times over, as the task's, as Spark's
     * block, and as what is read from that.
     */
    private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory() / 16;

    private DriverMemory() {}

    /** What the partial results of a fold may come to, so that its one job brings them all. */
    public static long forPartials(SparkContext context) {
        return Math.min(Settings.DEFAULT_DRIVER_BYTES, ofJob(context.getConf()));
    }

    /** What the results of one job may come to. */
    static long ofJob(SparkConf conf) {
        long limit = mostOfJob(conf);
        return limit > 0 ? Math.min(limit, HEAP_BYTES) : HEAP_BYTES;
    }

    /** Where Spark ends a job for what its results come to; 0 where it does not. */
    static long mostOfJob(SparkConf conf) {
        return conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    }
}
