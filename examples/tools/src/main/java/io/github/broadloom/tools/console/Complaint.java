package io.github.broadloom.tools.console;

import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.io.TensorFormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * What the user is told about an exception: one sentence, and whose turn it is to mend it. Spark and the JDK wrap what
 * went wrong in layers of their own; the sentence is that of the innermost layer that knows what it talks about.
 *
 * @param sentence without a stack trace; an expression's error brings the expression and a caret on further lines
 * @param exitCode 2 when the user can mend it, 1 otherwise
 */
public record Complaint(String sentence, int exitCode) {
    public static final int USERS = 2;
    public static final int OURS = 1;

    /** What is told where a tool needs Spark and there is none. */
    public static final String NO_SPARK =
            "Cannot start Spark: its jars are not on the class path; start this by examples/run or spark-submit";

    /** The message of an error that names the class that is not there; others say what else is wrong with one. */
    private static final Pattern CLASS_FILE = Pattern.compile("[\\w/$]+");

    /** The packages of classes that come with Spark's distribution. */
    private static final List<String> WITH_SPARK = List.of("org.apache.spark.", "org.apache.hadoop.", "scala.");

    /** How java.io, and Hadoop after it, ends a message. */
    private static final String DENIED = " (Permission denied)";

    public static Complaint about(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (saysDiskFull(cause)) {
                return new Complaint(
                        "Cannot write the output: no space left on device; free some space or write elsewhere"
                                + " (nothing half written is left under the output's name)",
                        USERS);
            }
        }
        return of(unwrapped(thrown));
    }

    private static boolean saysDiskFull(Throwable cause) {
        String message = cause.getMessage();
        return message != null
                && (message.contains("No space left on device") || message.contains("Disk quota exceeded"));
    }

    /** Goes down the causes as long as the outer one only carries the inner. */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable current = thrown;
        while (current.getCause() != null && carriesOnly(current)) {
            current = current.getCause();
        }
        return current;
    }

    private static boolean carriesOnly(Throwable thrown) {
        return SparkJars.present() && SparkComplaint.carriesOnly(thrown)
                || thrown instanceof UncheckedIOException
                || thrown instanceof ExecutionException
                || thrown instanceof InvocationTargetException
                || thrown instanceof ExceptionInInitializerError
                || thrown.getClass() == RuntimeException.class;
    }

    private static Complaint of(Throwable cause) {
        Optional<Complaint> ofSpark = SparkJars.present() ? SparkComplaint.about(cause) : Optional.empty();
        if (ofSpark.isPresent()) {
            return ofSpark.get();
        }
        if (cause instanceof IOException) {
            return new Complaint(ofFile((IOException) cause).replace("file:///", "/"), USERS);
        }
        if (cause instanceof OutOfMemoryError) {
            return new Complaint(
                    "Cannot finish: out of memory (" + message(cause)
                            + "); give a smaller --chunk-bytes or a larger heap",
                    OURS);
        }
        if (cause instanceof NoClassDefFoundError
                && CLASS_FILE.matcher(message(cause)).matches()) {
            return new Complaint(ofClass(message(cause).replace('/', '.')), USERS);
        }
        boolean users = cause instanceof UserError
                || cause instanceof IllegalArgumentException
                || cause instanceof IndexOutOfBoundsException
                || cause instanceof ArithmeticException // an integer division by zero, by the values
                || cause instanceof IllegalStateException;
        return users && cause.getMessage() != null
                ? new Complaint(cause.getMessage().stripTrailing(), USERS)
                : new Complaint(unexpected(cause), OURS);
    }

    private static String ofClass(String name) {
        return !SparkJars.present() && WITH_SPARK.stream().anyMatch(name::startsWith)
                ? NO_SPARK
                : "Cannot find class " + name + ": the jar that has it is not on the class path";
    }

    private static String ofFile(IOException cause) {
        String message = message(cause);
        if (cause instanceof TensorFormatException || message.startsWith("Cannot ")) {
            return message;
        }
        if (cause instanceof FileSystemException && ((FileSystemException) cause).getReason() != null) {
            boolean output = cause instanceof FileAlreadyExistsException;
            return (output ? "Cannot write " : "Cannot open ") + message; // the file, then the reason
        }
        if (cause instanceof FileNotFoundException && message.endsWith(DENIED)) {
            return "Cannot open " + message.substring(0, message.length() - DENIED.length()) + ": permission denied";
        }
        if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
            return "Cannot open " + file(cause) + ": there is no such file";
        }
        if (cause.getClass().getSimpleName().equals("FileAlreadyExistsException")) { // Java's or Hadoop's
            return exists(file(cause));
        }
        if (cause instanceof AccessDeniedException) {
            return "Cannot open " + file(cause) + ": permission denied";
        }
        return "Cannot read or write: " + message;
    }

    /** The sentence about an output that is there already. */
    public static String exists(Object output) {
        return "Cannot write " + output + ": it exists and is kept; pass --overwrite to replace it";
    }

    private static String file(IOException cause) {
        if (cause instanceof FileSystemException && ((FileSystemException) cause).getFile() != null) {
            return ((FileSystemException) cause).getFile();
        }
        // java.io and Hadoop say "PATH (No such file or directory)" and "File PATH does not exist"
        return message(cause)
                .replaceFirst(" \\(No such file or directory\\)$", "")
                .replaceFirst("^File (.*) does not exist$", "$1");
    }

    private static String unexpected(Throwable cause) {
        return "Unexpected " + cause.getClass().getSimpleName() + ": " + message(cause)
                + "; pass --debug to see where, and please report it";
    }

    static String message(Throwable cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                : message.lines()
                        .findFirst()
                        .orElse(cause.getClass().getSimpleName())
                        .strip();
    }
}
