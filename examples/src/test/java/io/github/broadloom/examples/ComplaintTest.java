package io.github.broadloom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.TensorFormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

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
                        + " failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.7 executor 1): java.lang.IllegalArgumentException: "
                        + PYTORCH + "\n\tat io.github.broadloom.Some.method(Some.java:3)\n\nDriver stacktrace:");
        assertThat(Complaint.about(aborted)).isEqualTo(new Complaint(PYTORCH, 2));
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
