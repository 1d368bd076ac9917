package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that goes over many files, chunks or steps ends before the next one when its job is cancelled. */
class CancelledTasksTest {
    private static final int FILES = 40;
    private static final long COLUMNS = 64;
    private static final long BYTES = FILES * 2 * COLUMNS * 4;

    @TempDir
    static Path folder;

    private static SparkContext context;

    @BeforeAll
    static void write() throws IOException {
        LocalSpark.stop();
        context = LocalSpark.session(CountedFileSystem.settings()).sparkContext();
        LocalSpark.broadloom()
                .tensor(Tensors.ones(2 * FILES, COLUMNS).to(DType.FLOAT32), FILES)
                .writeNpy(parts(), WriteMode.CREATE);
    }

    private static String parts() {
        return folder.resolve("parts").toString();
    }

    @AfterEach
    void end() {
        CountedFileSystem.cancelAt(Integer.MAX_VALUE, context);
        context.clearJobGroup();
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    /** What one task does for long. */
    private record Way(String name, long chunkBytes, Function<DistributedTensor, DistributedTensor> tensor) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Way> ways() {
        return Stream.of(
                new Way("a chunk of many files", 2 * BYTES, files -> files.mul(2)),
                new Way("partial results of many files", 2 * BYTES, files -> files.sum(0)),
                new Way(
                        "one task with all chunks",
                        BYTES / FILES,
                        files -> files.mul(2).median(KeepDim.DROP, 0).values()),
                new Way(
                        "step by step",
                        BYTES / FILES,
                        files -> files.unsqueeze(1)
                                .sub(files.mul(3).unsqueeze(0))
                                .sum(2)
                                .amin(1)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aCancelledTaskOpensNoFurtherFile(Way way) throws Exception {
        DistributedTensor tensor = way.tensor()
                .apply(LocalSpark.broadloom()
                        .withChunkBytes(way.chunkBytes())
                        .withReplicateBytes(BYTES / FILES)
                        .readNpy("counted://" + parts()));
        CountedFileSystem.cancelAt(Integer.MAX_VALUE, context);
        tensor.collect().release();
        int all = CountedFileSystem.opened();
        assertThat(all).isGreaterThanOrEqualTo(FILES);
        int last = all / 4;
        CountedFileSystem.cancelAt(last, context);
        context.setJobGroup(way.name(), "to be cancelled", false);
        try (Jobs jobs = Jobs.listen()) {
            assertThatThrownBy(tensor::collect).hasMessageContaining("cancelled");
            jobs.awaitNoTask();
        }
        // each of two threads may have opened one before it asked, which takes two looks: at its header, and at its
        // rows
        assertThat(CountedFileSystem.opened()).isLessThanOrEqualTo(last + 4);
    }
}
