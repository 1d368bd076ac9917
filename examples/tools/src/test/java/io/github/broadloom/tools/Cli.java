package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** One run of the command line in this JVM: its exit code and what it said. */
public record Cli(int exitCode, String out, String err) {

    public static Cli run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new Cli(exitCode, out.toString(), err.toString());
    }

    /** Asserts that all went well. */
    public Cli succeeds() {
        assertThat(err).isEmpty();
        assertThat(exitCode).as(out).isZero();
        return this;
    }

    /** Asserts exit code 2 and a complaint without a stack trace. */
    public Cli complains() {
        assertThat(exitCode).as(err).isEqualTo(2);
        assertThat(err)
                .startsWith("broadloom: ")
                .doesNotContain("at io.github", "at java.base", "at org.apache", "Exception in")
                .doesNotContainPattern("\\b[a-z]+\\.[a-z.]+\\.[A-Z]\\w*(Exception|Error)\\b");
        return this;
    }

    /** The complaint, which must be one line. */
    public String sentence() {
        complains();
        assertThat(err.lines()).hasSize(1);
        return err.strip();
    }

    /** A file of the repository's examples; tests run in a module's folder. */
    public static String data(String name) {
        return Path.of("../data", name).toString();
    }

    /** Copies a test resource to a file. */
    public static Path copy(String resource, Path folder) throws IOException {
        Path file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        try (InputStream stream = Cli.class.getResourceAsStream(resource)) {
            assertThat(stream).as(resource).isNotNull();
            Files.copy(stream, file);
        }
        return file;
    }
}
