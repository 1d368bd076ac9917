package io.github.broadloom.tools.session;

import io.github.broadloom.format.Address;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;

/** Checks of what the user names on a file system, made before any work: a mistake is told at once. */
public final class Locations {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

    private Locations() {}

    /**
     * Looks for plain local files before the seconds that Spark takes to start. Under spark-submit a plain path may
     * mean another file system, so there Spark has to look.
     */
    public static void checkBeforeSpark(List<String> inputs, Optional<String> out, boolean overwrite) {
        checkBeforeSpark(inputs, out.stream().toList(), overwrite);
    }

    /** The same for several outputs. */
    public static void checkBeforeSpark(List<String> inputs, List<String> outs, boolean overwrite) {
        inputs.forEach(Locations::checkInput);
        for (String out : outs) {
            if (!Sessions.submitted() && local(out)) {
                Path file = Path.of(Address.of(out).path());
                if (!overwrite && Files.exists(file)) {
                    throw new UserError(Complaint.exists(file));
                }
                checkCreatable(file);
            }
        }
    }

    /** As {@link #checkPresent(String)}, where a plain path means a local file. */
    public static void checkInput(String input) {
        if (!Sessions.submitted()) {
            checkPresent(input);
        }
    }

    /** @throws UserError when a path without a scheme names no file */
    public static void checkPresent(String input) {
        Optional<ColumnAddress> column = ColumnAddress.of(input);
        String file = column.isPresent()
                ? column.get().file().orElse("")
                : Address.of(input).path();
        if (!file.isEmpty() && local(file) && !Address.isPattern(file)) {
            checkPresent(Path.of(file));
        }
    }

    /** @throws UserError when there is nothing, as far as one may look */
    public static void checkPresent(Path file) {
        if (!Files.exists(file)) {
            boolean absent = Files.notExists(file); // false too where a folder above may not be entered
            throw new UserError(
                    "Cannot open " + file + ": " + (absent ? "there is no such file" : "permission denied"));
        }
    }

    /**
     * Looks at the folder that the output goes into, or at the nearest above it that exists.
     *
     * @throws UserError when that is no folder, or nothing may be made in it
     */
    public static void checkCreatable(Path output) {
        Path folder = output.toAbsolutePath().normalize().getParent();
        while (folder != null && !Files.exists(folder)) {
            folder = folder.getParent();
        }
        if (folder != null && !Files.isDirectory(folder)) {
            throw new UserError("Cannot write " + output + ": " + folder + " is a file, not a folder; write elsewhere");
        }
        if (folder != null && !Files.isWritable(folder)) {
            throw new UserError(
                    "Cannot write " + output + ": permission denied in the folder " + folder + "; write elsewhere");
        }
    }

    /** What writes an output. */
    public interface Writing {
        void run() throws IOException;
    }

    /**
     * Writes an output into a folder that is made for it, on whichever file system the path names, and that goes again where nothing is written.
     *
     * @throws UserError when the output is there already and must be kept
     */
    public static void write(String out, WriteMode mode, SparkSession spark, Writing writing) throws IOException {
        write(List.of(out), mode, spark, writing);
    }

    /** The same for several outputs. */
    public static void write(List<String> outs, WriteMode mode, SparkSession spark, Writing writing)
            throws IOException {
        Configuration configuration = spark.sparkContext().hadoopConfiguration();
        Deque<MadeFolders> made = new ArrayDeque<>(); // the last one first: it may lie in others
        try {
            for (String out : outs) {
                org.apache.hadoop.fs.Path path =
                        new org.apache.hadoop.fs.Path(Address.of(out).path());
                FileSystem files = path.getFileSystem(configuration);
                if (mode == WriteMode.CREATE && files.exists(path)) {
                    throw new UserError(Complaint.exists(out));
                }
                made.push(MadeFolders.above(path, files));
            }
            writing.run();
        } catch (IOException | RuntimeException | Error failure) {
            made.forEach(folders -> folders.removeEmpty(failure));
            throw failure;
        }
    }

    /** @param folders those that were not there, the innermost first */
    private record MadeFolders(FileSystem files, List<org.apache.hadoop.fs.Path> folders) {
        static MadeFolders above(org.apache.hadoop.fs.Path path, FileSystem files) throws IOException {
            List<org.apache.hadoop.fs.Path> made = new ArrayList<>();
            for (org.apache.hadoop.fs.Path folder = path.getParent();
                    folder != null && !files.exists(folder);
                    folder = folder.getParent()) {
                made.add(folder);
            }
            if (!made.isEmpty()) {
                files.mkdirs(made.get(0));
            }
            return new MadeFolders(files, made);
        }

        void removeEmpty(Throwable failure) {
            try {
                for (org.apache.hadoop.fs.Path folder : folders) {
                    if (!files.exists(folder) || files.listStatus(folder).length > 0) {
                        return;
                    }
                    files.delete(folder, false);
                }
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Whether a path names something on this machine: it has no scheme. Under spark-submit Spark has to look. */
    public static boolean isLocal(String path) {
        return !Sessions.submitted() && local(path);
    }

    /** Whether an input is one ordinary file of this machine: no folder, no pattern, no column. */
    public static boolean isFileHere(String input) {
        String file = Address.of(input).path();
        return ColumnAddress.of(input).isEmpty()
                && isLocal(file)
                && !Address.isPattern(file)
                && Files.isRegularFile(Path.of(file));
    }

    private static boolean local(String path) {
        return !SCHEME.matcher(path).matches();
    }
}
