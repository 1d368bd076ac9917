package io.github.broadloom.bench;

import java.util.Set;

/**
 * What one contender did with one workload.
 *
 * @param who for instance {@code broadloom-local} or {@code numpy}
 * @param version of what was measured
 * @param seconds the measured calls
 * @param limitSeconds what copying the workload's bytes takes on this machine, measured in the same run
 */
public record Measurement(String workload, String who, String version, Seconds seconds, double limitSeconds) {

    /** The name under which Broadloom's local evaluation is listed. */
    public static final String LOCAL = "broadloom-local";

    /** The name under which Broadloom on Spark is listed. */
    public static final String SPARK = "broadloom-spark";

    /** The name under which Broadloom on a GPU is listed. */
    public static final String CUDA = "broadloom-cuda";

    /** The name under which Broadloom's functions of SQL are listed. */
    public static final String SQL = "broadloom-sql";

    /** The name under which columns that become tensors are listed. */
    public static final String FRAME = "broadloom-frame";

    /** The name under which Spark's own functions of SQL are listed. */
    public static final String SPARK_SQL = "spark-sql";

    /** The name under which columns that become arrays of Java in an RDD of Spark's are listed. */
    public static final String SPARK_RDD = "spark-rdd";

    /** The name under which a job of Spark's is listed that only copies bytes. */
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
