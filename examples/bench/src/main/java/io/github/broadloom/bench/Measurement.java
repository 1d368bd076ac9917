package io.github.broadloom.bench;

import java.util.Set;

/**
 * What one contender did with one workload.
 *
 * @param who for instance {@code broadloom-local} or {@code numpy}
 * @param limitSeconds what copying the workload's bytes takes on this machine, measured in the same run
 */
public record Measurement(String workload, String who, String version, Seconds seconds, double limitSeconds) {
    /** Broadloom here, on Spark, on a GPU, as functions of SQL, and where columns become tensors. */
    public static final String LOCAL = "broadloom-local";

    public static final String SPARK = "broadloom-spark";
    public static final String CUDA = "broadloom-cuda";
    public static final String SQL = "broadloom-sql";
    public static final String FRAME = "broadloom-frame";

    /** Spark's own functions of SQL, columns that become arrays of Java in an RDD, and a job that only copies bytes. */
    public static final String SPARK_SQL = "spark-sql";

    public static final String SPARK_RDD = "spark-rdd";
    public static final String SPARK_COPY = "spark-copy";

    private static final Set<String> OWN = Set.of(LOCAL, CUDA, SQL, FRAME);

    /** Whether it is Broadloom's own, in this process. */
    public boolean isOwn() {
        return OWN.contains(who);
    }

    /** Which part of what memory allows was reached: 1 is the speed of a copy. */
    public double ofLimit() {
        return limitSeconds / seconds.median();
    }
}
