package io.github.broadloom.bench.guide;

import org.apache.spark.sql.SparkSession;

/** The session in which the lines of pages are run. */
final class PageSession {
    private PageSession() {}

    /** A local session with the functions of SQL, made as the pages make theirs, so that they get this one. */
    static SparkSession start() {
        return SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.extensions", "io.github.broadloom.sql.BroadloomExtensions")
                .getOrCreate();
    }
}
