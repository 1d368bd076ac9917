package io.github.broadloom.exec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.apache.spark.SparkException;
import org.jspecify.annotations.Nullable;

/** What a failed job says to a person. */
public final class Failures {
    /** What Spark calls it. */
    private static final String LOST_CHECKPOINT = "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND";

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
        return failure instanceof SparkException
                || failure instanceof UncheckedIOException
                || failure.getClass().getName().equals("org.apache.spark.SparkDriverExecutionException");
    }

    /** One sentence without a stack trace. */
    public static String sentence(Throwable failure) {
        Throwable cause = cause(failure);
        @Nullable String message = cause.getMessage();
        if (message == null || message.isBlank()) {
            return cause.getClass().getSimpleName();
        }
        if (cause instanceof SparkException spark) {
            return LOST_CHECKPOINT.equals(spark.getCondition())
                    ? "Cannot read local checkpoint: the executor that kept it is gone; compute the tensor again, and use checkpoint(), or a level with two copies"
                    : firstLine(message);
        }
        return cause instanceof FileSystemException || cause instanceof IOException || cause instanceof RuntimeException
                ? message
                : cause.getClass().getSimpleName() + ": " + message;
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** The cause itself where it may be thrown here; errors and unchecked ones always, an {@link IOException} unchecked. */
    static RuntimeException unchecked(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            return exception;
        }
        if (cause instanceof IOException io) {
            return new UncheckedIOException(io.getMessage(), io);
        }
        return new IllegalStateException(sentence(failure), failure);
    }
}
