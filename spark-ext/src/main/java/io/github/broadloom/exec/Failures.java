package io.github.broadloom.exec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.jspecify.annotations.Nullable;

/** What a failed job says to a person. */
public final class Failures {
    private static final String CANCELLED = "SPARK_JOB_CANCELLED";
    /** A block that is dropped after a task has asked for it. Spark has no better name for it yet. */
    private static final String DROPPED = "_LEGACY_ERROR_TEMP_3031";

    private static final String FULL = "No space left on device";
    /** What Spark calls them. */
    private static final Map<String, String> SENTENCES = Map.of(
            "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND",
            "Cannot read local checkpoint: the executor that kept it is gone; compute the tensor again, and use checkpoint(), or a level with two copies",
            "INTERNAL_ERROR_BROADCAST",
            "Cannot read broadcast variable: a piece of it is lost; run the action again",
            CANCELLED,
            "Cannot finish job: it was cancelled",
            DROPPED,
            "Cannot read block: Spark dropped it meanwhile");

    /** A job that failed for want of executors or shuffle files, as Spark tells it. */
    private static final Pattern ABORTED = Pattern.compile(
            "Job aborted due to stage failure: (.*?)(?:most recent failure: Lost task [^)]*\\) \\([^)]*\\): (.*)|Most recent failure reason:)?");

    private Failures() {}

    /** What really went wrong: the failure without the wrappings of Spark and of the streams. */
    public static Throwable cause(Throwable failure) {
        Throwable found = failure;
        while (isWrapping(found)) {
            Throwable cause = found.getCause();
            if (cause == null || cause == found) {
                break;
            }
            found = cause;
        }
        return found;
    }

    private static boolean isWrapping(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean repeats = cause != null && cause.toString().equals(failure.getMessage());
        return repeats
                || failure instanceof SparkException
                || failure instanceof UncheckedIOException
                || failure.getClass().getName().equals("org.apache.spark.SparkDriverExecutionException");
    }

    /** Whether it is how this thread was told that it is interrupted. */
    public static boolean isInterruption(Throwable failure) {
        Throwable cause = cause(failure);
        return Thread.currentThread().isInterrupted()
                && (cause instanceof InterruptedIOException || cause instanceof ClosedByInterruptException);
    }

    public static String sentence(Throwable failure) {
        Throwable cause = cause(failure);
        if (isInterruption(cause)) {
            return "its thread was interrupted";
        }
        @Nullable String message = cause.getMessage();
        if (message == null || message.isBlank()) {
            return cause.getClass().getSimpleName();
        }
        if (cause instanceof SparkException spark) {
            return SENTENCES.getOrDefault(String.valueOf(spark.getCondition()), ofJob(firstLine(message)));
        }
        if (cause instanceof IOException io) {
            return told(io, message);
        }
        return cause instanceof RuntimeException ? message : cause.getClass().getSimpleName() + ": " + message;
    }

    /** What a file system says of a file that is gone, and when it is full, of the files that Spark keeps for itself, too. */
    private static String told(IOException failure, String message) {
        if (failure instanceof NoSuchFileException gone && gone.getReason() == null) {
            return "Cannot open " + message + ": there is no such file";
        }
        return FULL.equals(message)
                ? "Cannot finish job: " + FULL
                        + "; make room where its output goes, and in spark.local.dir of every machine"
                : message;
    }

    /** What Spark says of a job, without what only Spark's own log can tell. */
    private static String ofJob(String line) {
        Matcher aborted = ABORTED.matcher(line);
        if (!aborted.matches()) {
            return line;
        }
        @Nullable String why = aborted.group(2);
        return "Cannot finish job: " + (why == null ? aborted.group(1).strip() : aborted.group(1) + why);
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** The cause itself where it may be thrown here; errors and unchecked ones always, an {@link IOException} unchecked. */
    public static RuntimeException unchecked(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            return exception;
        }
        if (cause instanceof IOException io) {
            return new UncheckedIOException(sentence(io), io);
        }
        String sentence = sentence(failure);
        boolean cancelled = cause instanceof SparkException spark && CANCELLED.equals(spark.getCondition());
        return cancelled ? new CancellationException(sentence) : new IllegalStateException(sentence, failure);
    }
}
