package io.github.broadloom.tools.console;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/** What the user is told about an exception of Spark: what {@link Complaint} asks where Spark is. */
final class SparkComplaint {
    /** Of a function that is not Spark's own, whose sentence the cause is. */
    private static final String FAILED_FUNCTION = "FAILED_EXECUTE_UDF";

    /** Where Spark quotes a task's exception in its own message: class, then message. */
    private static final Pattern LOST_TASK =
            Pattern.compile("most recent failure: Lost task [^)]*\\([^)]*\\) \\([^)]*\\): ([\\w.$]+)(?:: ([^\\n]*))?");

    private SparkComplaint() {}

    /** Whether its cause, where there is one, says more. */
    static boolean carriesOnly(Throwable thrown) {
        return thrown instanceof SparkException;
    }

    /** What is told; nothing where it is not Spark's, or where Spark blames itself. */
    static Optional<Complaint> about(Throwable cause) {
        if (cause instanceof SparkException spark) {
            return Optional.of(ofJob(spark));
        }
        boolean told = !(cause instanceof IOException) && !(cause instanceof OutOfMemoryError);
        return told && cause instanceof SparkThrowable known && known.getCondition() != null && !known.isInternalError()
                ? Optional.of(new Complaint(ofQuery(known, cause), Complaint.USERS))
                : Optional.empty();
    }

    /** With the place in the query below, where Spark knows it. */
    private static String ofQuery(SparkThrowable known, Throwable thrown) {
        if (thrown instanceof AnalysisException analysis) {
            return analysis.getSimpleMessage(); // without the plan
        }
        Throwable function = thrown.getCause();
        if (!known.getCondition().equals(FAILED_FUNCTION) || function == null || function.getMessage() == null) {
            return String.valueOf(thrown.getMessage()).stripTrailing();
        }
        return Stream.concat(
                        Stream.of(function.getMessage()),
                        Stream.of(known.getQueryContext()).map(QueryContext::summary))
                .map(String::strip)
                .collect(Collectors.joining("\n"));
    }

    /** A SparkException without a cause: Spark then quotes the task's exception in its text. */
    private static Complaint ofJob(SparkException cause) {
        Matcher task = LOST_TASK.matcher(String.valueOf(cause.getMessage()));
        if (task.find() && task.group(2) != null) {
            String type = task.group(1);
            boolean users = type.endsWith("IOException")
                    || type.endsWith("IllegalArgumentException")
                    || type.endsWith("ArithmeticException")
                    || type.equals(TensorFormatException.class.getName());
            return new Complaint(task.group(2), users ? Complaint.USERS : Complaint.OURS);
        }
        return new Complaint("The Spark job failed: " + Complaint.message(cause), Complaint.OURS);
    }
}
