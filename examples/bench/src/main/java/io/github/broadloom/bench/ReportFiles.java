package io.github.broadloom.bench;

import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that {@code bench} leaves: each is replaced as a whole, so that a run that stops leaves what was measured. */
final class ReportFiles {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the measurements as JSON, again after each workload.")
    private @Nullable Path json;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw them as a bar chart, after each workload.")
    private @Nullable Path png;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write the medians as a Markdown table, after each workload.")
    private @Nullable Path markdown;

    /** @throws UserError when one of them cannot be written, as far as one can see before */
    void check() {
        Stream.of(json, png, markdown).filter(Objects::nonNull).forEach(file -> {
            Locations.checkCreatable(file);
            if (Files.isDirectory(file)) {
                throw new UserError("Cannot write " + file + ": it is a folder; name a file");
            }
        });
    }

    /** Writes those that are wanted; without measurements there is nothing to draw. */
    void write(Report report) throws IOException {
        boolean measured = !report.byWorkload().isEmpty();
        if (json != null) {
            OutputFile.write(json, report.json());
        }
        if (png != null && measured) {
            OutputFile.write(png, report.chart()::writePng);
        }
        if (markdown != null && measured) {
            OutputFile.write(markdown, report.markdown());
        }
    }
}
