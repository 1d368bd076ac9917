package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who asks what a tensor is, and how it is computed, never waits for a job that computes it. */
class WhileAJobRunsTest {
    private static final int ROWS = 14;
    /** For what would hang if it were wrong. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Each row that a task makes takes one; the tasks run in this JVM. */
    private static final Semaphore PERMITS = new Semaphore(0);

    private static final Semaphore WAITING = new Semaphore(0);

    @TempDir
    static Path checkpoints;

    private static SparkContext context() {
        return LocalSpark.session().sparkContext();
    }

    @BeforeEach
    void letRowsBeCounted() {
        context().setCheckpointDir(checkpoints.toString());
        PERMITS.release(ROWS);
    }

    @AfterEach
    void close() {
        PERMITS.drainPermits();
        WAITING.drainPermits();
    }

    private static Row atTheGate(Row row) throws InterruptedException {
        if (!PERMITS.tryAcquire()) {
            WAITING.release();
            PERMITS.acquire();
        }
        return row;
    }

    /** A tensor whose rows are made when tasks are let through, which were when it was counted. */
    private static DistributedTensor gated(int chunks) {
        List<Row> rows = Stream.iterate(0, i -> i + 1)
                .limit(ROWS)
                .map(i -> RowFactory.create((float) i))
                .toList();
        StructType schema = new StructType().add("v", DataTypes.FloatType, false);
        JavaSparkContext java = JavaSparkContext.fromSparkContext(context());
        Dataset<Row> table = LocalSpark.session()
                .createDataFrame(java.parallelize(rows, chunks).map(WhileAJobRunsTest::atTheGate), schema);
        DistributedTensor tensor = LocalSpark.broadloom().fromDataFrame(table, "v");
        assertThat(PERMITS.availablePermits()).isZero();
        return tensor;
    }

    /** A way of computing a tensor, by name. */
    private record Way(String name, Consumer<DistributedTensor> action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Way> ways() {
        return Stream.of(
                new Way("collect", tensor -> tensor.collect().release()),
                new Way("materialize", DistributedTensor::materialize),
                new Way(
                        "cache, then collect",
                        tensor -> tensor.cache().collect().release()),
                new Way("checkpoint", DistributedTensor::checkpoint),
                new Way(
                        "checkpoint, lazily",
                        tensor -> tensor.checkpoint(Eagerness.LAZY).collect().release()),
                new Way("localCheckpoint", DistributedTensor::localCheckpoint),
                new Way(
                        "cache, then checkpoint",
                        tensor -> tensor.cache(StorageLevel.MEMORY_AND_DISK()).checkpoint()));
    }

    /** A mean, which takes a job of its own before the chunks. */
    private static DistributedTensor centred() {
        DistributedTensor rows = gated(2);
        return rows.sub(rows.mean(0));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatATensorIsIsToldAtOnce(Way way) throws Exception {
        DistributedTensor tensor = centred();
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> way.action.accept(tensor));
        WAITING.acquire();
        CompletableFuture<List<String>> told = CompletableFuture.supplyAsync(
                () -> List.of(tensor.explain(), tensor.toString(), tensor.toHtml(), tensor.toSvg()));
        try {
            assertThat(told).succeedsWithin(PATIENCE);
            assertThat(running).isNotDone();
        } finally {
            PERMITS.release(100 * ROWS);
        }
        running.join();
        assertThat(told.join()).allMatch(text -> !text.isBlank());
        tensor.unpersist();
    }

    @Test
    void whoWaitsForChunksThatAnotherActionMakesCanBeInterrupted() throws Exception {
        DistributedTensor tensor = centred().cache();
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> tensor.collect().release());
        WAITING.acquire();
        Thread.currentThread().interrupt();
        assertThatThrownBy(tensor::collect)
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(first).isNotDone();
        PERMITS.release(100 * ROWS);
        first.join();
        Bits.assertSame(tensor.sum().collect(), Tensors.zeros());
        tensor.unpersist();
    }
}
