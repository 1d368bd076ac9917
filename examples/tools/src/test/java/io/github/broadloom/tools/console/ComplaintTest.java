package io.github.broadloom.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.TensorFormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkIllegalArgumentException;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.trees.SQLQueryContext;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

class ComplaintTest {
    private static final String PYTORCH =
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1";

    @Test
    void looksThroughSparksWrapping() {
        var wrapped = new SparkException(
                "Job aborted due to stage failure",
                new UncheckedIOException(new TensorFormatException("Cannot read x")));
        assertThat(Complaint.about(wrapped)).isEqualTo(new Complaint("Cannot read x", 2));
    }

    @Test
    void readsATasksErrorFromSparksTextWhereThereIsNoCause() {
        var aborted =
                new SparkException("Job aborted due to stage failure: Task 1 in stage 0.0 failed 4 times, most recent"
                        + " failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.7 executor 1):"
                        + " java.lang.IllegalArgumentException: "
                        + PYTORCH + "\n\tat io.github.broadloom.Some.method(Some.java:3)\n\nDriver stacktrace:");
        assertThat(Complaint.about(aborted)).isEqualTo(new Complaint(PYTORCH, 2));
    }

    @Test
    void aClassThatIsMissingIsNamed() {
        assertThat(Complaint.about(new NoClassDefFoundError("org/jline/reader/LineReader")))
                .isEqualTo(new Complaint(
                        "Cannot find class org.jline.reader.LineReader: the jar that has it is not on the class path",
                        2));
        assertThat(Complaint.about(new NoClassDefFoundError("Could not initialize class org.jline.Terminal")))
                .isEqualTo(new Complaint(
                        "Unexpected NoClassDefFoundError: Could not initialize class org.jline.Terminal;"
                                + " pass --debug to see where, and please report it",
                        1));
    }

    private static scala.collection.immutable.Map<String, String> parameters(Map<String, String> parameters) {
        return scala.collection.immutable.Map.from(CollectionConverters.asScala(parameters));
    }

    /** The sentence of the function, and below it where the query calls it. */
    @Test
    void ofARowThatAFunctionDoesNotTakeItTellsThePlace() {
        String query = "SELECT tensor_add(a, b) FROM t";
        QueryContext place = new SQLQueryContext(
                Option.apply(1),
                Option.apply(7),
                Option.apply(7),
                Option.apply(22),
                Option.apply(query),
                Option.empty(),
                Option.empty());
        Map<String, String> parameters = Map.of(
                "functionName",
                "`tensor_add`",
                "signature",
                "int, int",
                "result",
                "int",
                "reason",
                "Cannot call tensor_add: it is wrong");
        var failed = new SparkIllegalArgumentException(
                "FAILED_EXECUTE_UDF",
                parameters(parameters),
                new QueryContext[] {place},
                place.summary(),
                new IllegalArgumentException("Cannot call tensor_add: it is wrong"));
        assertThat(Complaint.about(failed))
                .isEqualTo(new Complaint(
                        "Cannot call tensor_add: it is wrong\n== SQL (line 1, position 8) ==\n" + query
                                + "\n       ^^^^^^^^^^^^^^^^",
                        2));
    }

    @Test
    void whatSparkHasANameForIsTheUsers() {
        var notFound = new AnalysisException("PATH_NOT_FOUND", parameters(Map.of("path", "file:/nowhere")));
        assertThat(Complaint.about(notFound))
                .isEqualTo(new Complaint("[PATH_NOT_FOUND] Path does not exist: file:/nowhere. SQLSTATE: 42K03", 2));
        var internal = new SparkRuntimeException(
                "INTERNAL_ERROR", parameters(Map.of("message", "oops")), null, new QueryContext[0], "");
        assertThat(Complaint.about(internal).exitCode()).isEqualTo(1);
    }

    @Test
    void keepsPyTorchsWords() {
        assertThat(Complaint.about(new IllegalArgumentException(PYTORCH))).isEqualTo(new Complaint(PYTORCH, 2));
    }

    @Test
    void namesTheFile() {
        assertThat(Complaint.about(new NoSuchFileException("a/b.npy")).sentence())
                .isEqualTo("Cannot open a/b.npy: there is no such file");
        assertThat(Complaint.about(new FileNotFoundException("File file:/a/b.npy does not exist"))
                        .sentence())
                .isEqualTo("Cannot open file:/a/b.npy: there is no such file");
        assertThat(Complaint.about(new AccessDeniedException("a/b.npy")).sentence())
                .isEqualTo("Cannot open a/b.npy: permission denied");
        assertThat(Complaint.about(new FileAlreadyExistsException("y.npy")).sentence())
                .isEqualTo("Cannot write y.npy: it exists and is kept; pass --overwrite to replace it");
    }

    @Test
    void saysThatTheDiskIsFullHoweverDeepThatIs() {
        var deep = new SparkException("aborted", new RuntimeException(new IOException("No space left on device")));
        assertThat(Complaint.about(deep).sentence()).contains("no space left on device");
        assertThat(Complaint.about(deep).exitCode()).isEqualTo(2);
    }

    @Test
    void aBugOfOursIsNotTheUsersTurn() {
        Complaint complaint = Complaint.about(new NullPointerException("oops"));
        assertThat(complaint.exitCode()).isEqualTo(1);
        assertThat(complaint.sentence())
                .startsWith("Unexpected NullPointerException: oops")
                .contains("--debug");
    }
}
