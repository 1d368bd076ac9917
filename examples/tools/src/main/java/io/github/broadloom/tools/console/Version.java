package io.github.broadloom.tools.console;

import io.github.broadloom.exec.SparkJars;
import java.util.Objects;
import org.apache.spark.package$;
import picocli.CommandLine.IVersionProvider;

/** The versions of this program and of what it runs on. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "Broadloom " + number(),
            (SparkJars.present() ? "Spark " + package$.MODULE$.SPARK_VERSION() : "no Spark") + ", Java "
                    + Runtime.version()
        };
    }

    /** This program's version: from the manifest of the jar for spark-submit, or "(development)" when it runs from class folders. */
    public static String number() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "(development)");
    }
}
