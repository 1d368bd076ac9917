package io.github.broadloom.exec;

/** Whether Spark is on the class path. This module may be there without it, as where tools run that need none: who is asked from outside asks here first. */
public final class SparkJars {
    private static final boolean PRESENT = SparkJars.class.getResource("/org/apache/spark/SparkContext.class") != null;

    private SparkJars() {}

    public static boolean present() {
        return PRESENT;
    }
}
