package io.github.broadloom.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.package$;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;

/** The session that the tests share: two threads in this JVM, made on first need and after another one was stopped. */
public final class LocalSpark {
    private static final int NO_RDD = -1;

    private LocalSpark() {}

    /**
     * The session there is, or a new one.
     *
     * @param settings of a new session: names and values in turn
     */
    public static SparkSession session(String... settings) {
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[2]")
                .appName("broadloom tests")
                .config("spark.ui.enabled", false)
                .config("spark.ui.showConsoleProgress", false)
                .config("spark.sql.artifact.isolation.enabled", false);
        for (int i = 0; i < settings.length; i += 2) {
            builder.config(settings[i], settings[i + 1]);
        }
        return builder.getOrCreate();
    }

    /** For tests that need a context with other settings; the next caller of {@link #session} makes a new one. */
    public static void stop() {
        var session = SparkSession.getDefaultSession();
        if (session.isDefined()) {
            dropAll();
            session.get().stop();
        }
    }

    /** Returns when what was unpersisted is dropped: nobody else waits for that, and a Spark that stops meanwhile prints a stack trace. */
    private static void dropAll() {
        SparkEnv.get().blockManager().master().removeRdd(NO_RDD, true); // asks once more, and waits
    }

    /** What RDDs keep, once Spark has heard of all of it: it tells itself later than the tasks end. */
    static RDDInfo[] stored(SparkContext context) {
        try {
            context.listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
        return context.getRDDStorageInfo();
    }

    public static Broadloom broadloom() {
        return Broadloom.on(session());
    }

    /** Skips a test of what earlier versions of Spark lack. */
    public static void assumeSince(String version, String what) {
        assumeTrue(isSince(version), "Spark " + package$.MODULE$.SPARK_VERSION() + " has no " + what);
    }

    /** Whether this is that version of Spark or a later one. */
    public static boolean isSince(String version) {
        return package$.MODULE$.SPARK_VERSION().compareTo(version) >= 0;
    }
}
