package io.github.broadloom.tools.session;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The folder that an example leaves its files in: {@code --out} and {@code --overwrite}. Without {@code --out} it is
 * {@code out/TOOL}, where earlier files are replaced.
 */
public final class OutputFolder {
    private static final Pattern OF_SPARK = Pattern.compile("_SUCCESS|part-.*|\\..*\\.crc");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for the files (default: out/${COMMAND-NAME}, where earlier ones are replaced).")
    private @Nullable Path out;

    @Option(names = "--overwrite", description = "With --out: replace files that exist; otherwise they are kept.")
    private boolean overwrite;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec tool;

    public Path file(String name) {
        return folder().resolve(name);
    }

    /** The file of that name, as Hadoop takes it: an address, in which it decodes no percent signs. */
    public String address(String name) {
        return "file://" + file(name).toAbsolutePath();
    }

    public WriteMode mode() {
        return overwrite || out == null ? WriteMode.OVERWRITE : WriteMode.CREATE;
    }

    /** @throws UserError when one of the files cannot be written, as far as one can see before any work */
    public void check(List<String> names) {
        for (String name : names) {
            Path file = file(name);
            if (mode() == WriteMode.CREATE && Files.exists(file)) {
                throw new UserError(Complaint.exists(file));
            }
            if (Files.isDirectory(file)) {
                throw new UserError("Cannot write " + file + ": it is a folder; write elsewhere");
            }
            Locations.checkCreatable(file);
        }
    }

    /**
     * As {@link #check}, of a folder that Spark writes a table to.
     *
     * @throws UserError also where the folder that would be replaced has anything else in it
     */
    public void checkTable(String name) {
        Path table = file(name);
        if (!Files.isDirectory(table)) {
            check(List.of(name));
            return;
        }
        if (mode() == WriteMode.CREATE) {
            throw new UserError(Complaint.exists(table));
        }
        try (Stream<Path> files = Files.list(table)) {
            if (!files.allMatch(
                    file -> OF_SPARK.matcher(file.getFileName().toString()).matches())) {
                throw new UserError(
                        "Cannot write " + table + ": it is a folder with other files in it; write elsewhere");
            }
        } catch (IOException e) {
            throw new UserError("Cannot write " + table + ": it cannot be looked into; write elsewhere");
        }
    }

    public void create() throws IOException {
        Files.createDirectories(folder());
    }

    private Path folder() {
        return out == null ? Path.of("out", tool.name()) : out;
    }
}
