package io.github.broadloom.tools.console;

import io.github.broadloom.exec.SparkJars;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.spark.package$;
import picocli.CommandLine.IVersionProvider;

/** The versions of this program and of what it runs on. */
public final class Version implements IVersionProvider {
    private static final String MAVEN_PROPERTIES = "/META-INF/maven/io.github.broadloom/broadloom-tools/pom.properties";

    @Override
    public String[] getVersion() {
        return new String[] {
            "Broadloom " + number(),
            (SparkJars.present() ? "Spark " + package$.MODULE$.SPARK_VERSION() : "no Spark") + ", Java "
                    + Runtime.version()
        };
    }

    /** This program's version: from the jar, or "(development)" when it runs from class folders. */
    public static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        if (version != null) {
            return version;
        }
        try (InputStream stream = Version.class.getResourceAsStream(MAVEN_PROPERTIES)) {
            if (stream == null) {
                return "(development)";
            }
            Properties properties = new Properties();
            properties.load(stream);
            return properties.getProperty("version", "(development)");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
