package io.github.broadloom.spark;

import org.apache.spark.sql.SparkSession;

/** The session that the tests share: two threads in this JVM, made on first need and after another one was stopped. */
public final class LocalSpark {
    private LocalSpark() {}

    public static SparkSession session() {
        return SparkSession.builder()
                .master("local[2]")
                .appName("broadloom tests")
                .config("spark.ui.enabled", false)
                .config("spark.ui.showConsoleProgress", false)
                .config("spark.sql.artifact.isolation.enabled", false)
                .getOrCreate();
    }

    /** For tests that need a context with other settings; the next caller of {@link #session} makes a new one. */
    public static void stop() {
        session().stop();
    }

    public static Broadloom broadloom() {
        return Broadloom.on(session());
    }
}
