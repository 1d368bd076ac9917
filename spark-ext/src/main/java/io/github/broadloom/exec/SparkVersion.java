package io.github.broadloom.exec;

import java.util.List;
import org.apache.spark.package$;

/** The versions of Spark that this code runs on. What one of them lacks is not named where it is used: it is looked up there, and there is another way. */
public final class SparkVersion {
    private static final List<String> KNOWN = List.of("4.0", "4.1", "4.2");

    private SparkVersion() {}

    /**
     * Refuses any other version, before it is missing something.
     *
     * @throws IllegalStateException naming the version that is there
     */
    public static void check() {
        check(package$.MODULE$.SPARK_VERSION());
    }

    static void check(String version) {
        if (KNOWN.stream().noneMatch(known -> version.startsWith(known + "."))) {
            throw new IllegalStateException("Cannot run on Spark " + version + ": this jar is for " + KNOWN.get(0)
                    + " to " + KNOWN.get(KNOWN.size() - 1));
        }
    }
}
