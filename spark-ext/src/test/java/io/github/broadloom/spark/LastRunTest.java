package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RunFigures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastRunTest {
    /** float32 [512, 64, 64], 8 MiB, in 8 chunks of 1 MiB. */
    private static final long BYTES = 512 * 64 * 64 * 4;

    private static final long CHUNK_BYTES = BYTES / 8;

    @TempDir
    Path folder;

    private String file = "";

    @BeforeEach
    void write() throws IOException {
        Path x = folder.resolve("x.npy");
        Npy.write(Tensors.ones(512, 64, 64), x, WriteMode.CREATE);
        file = x.toString();
    }

    private DistributedTensor read() throws IOException {
        return LocalSpark.broadloom().withChunkBytes(CHUNK_BYTES).readNpy(file);
    }

    private static RunFigures figures(DistributedTensor tensor) {
        return tensor.lastRun().map(RunReport::figures).orElseThrow();
    }

    @Test
    void nothingRanBeforeTheFirstAction() throws IOException {
        DistributedTensor y = read().mul(2);
        assertThat(y.lastRun()).isEmpty();
        assertThat(y.explain()).doesNotContain("(ran ").doesNotContain("took ");
    }

    @Test
    void everyByteOfTheFileIsReadOnceAndSparkSaysSoToo() throws Exception {
        try (Jobs spark = Jobs.listen()) {
            DistributedTensor y = read().mul(2);
            y.collect();
            RunFigures run = figures(y);
            assertThat(run.jobs()).isEqualTo(1);
            assertThat(run.stages()).isEqualTo(1);
            assertThat(run.tasks()).isEqualTo(8);
            assertThat(run.lostTasks()).isZero();
            assertThat(run.fileBytes()).isEqualTo(BYTES);
            assertThat(run.chunkBytes()).isZero();
            assertThat(run.shuffledBytes()).isZero();
            assertThat(run.taskTime()).isPositive();
            assertThat(run.elapsed()).isPositive();
            assertThat(spark.taskMetrics())
                    .hasSize(8)
                    .allSatisfy(
                            task -> assertThat(task.inputMetrics().bytesRead()).isEqualTo(CHUNK_BYTES));
        }
    }

    /** A task holds what it read and what it computed: that is the estimate, too. */
    @Test
    void thePeakOfATaskIsItsOperandsAndItsResult() throws Exception {
        try (Jobs spark = Jobs.listen()) {
            DistributedTensor y = read().mul(2);
            y.collect();
            RunReport report = y.lastRun().orElseThrow();
            assertThat(report.figures().peakTaskBytes())
                    .isEqualTo(2 * CHUNK_BYTES)
                    .isEqualTo(report.plan().peakBytes());
            assertThat(spark.taskMetrics())
                    .allSatisfy(task -> assertThat(task.peakExecutionMemory()).isEqualTo(2 * CHUNK_BYTES));
        }
    }

    @Test
    void operandsThatTravelWholeAreCountedOncePerExecutorHoweverManyTasksUseThem() throws IOException {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 18);
        DistributedTensor x = broadloom.tensor(Tensors.ones(64, 256, 256), 8);
        DistributedTensor carried = x.add(broadloom.tensor(Tensors.ones(256))); // with the code
        carried.collect();
        // beside its elements the operand has a header: its dtype, its rank and its sizes
        assertThat(figures(carried).replicatedBytes() - figuresOf(x)).isBetween(1024L, 1024L + 64);

        DistributedTensor broadcast = x.add(broadloom.tensor(Tensors.ones(256, 256))); // 256 KiB
        broadcast.collect();
        assertThat(figures(broadcast).replicatedBytes() - figuresOf(x)).isEqualTo(256 * 256 * 4);
    }

    /** What reaches the executors of a local tensor by itself: each chunk once. */
    private static long figuresOf(DistributedTensor x) {
        x.collect();
        assertThat(figures(x).replicatedBytes()).isEqualTo(64 * 256 * 256 * 4);
        return figures(x).replicatedBytes();
    }

    @Test
    void cachedChunksAreReadAtTheSizeThatSparkStores() throws IOException {
        DistributedTensor x = read().mul(2).materialize();
        RunFigures made = figures(x);
        assertThat(made.fileBytes()).isEqualTo(BYTES);
        assertThat(made.chunkBytes()).isZero();
        DistributedTensor y = x.add(1);
        y.collect();
        RunFigures run = figures(y);
        assertThat(run.fileBytes()).isZero();
        assertThat(run.chunkBytes()).isBetween(BYTES, BYTES + 8 * 1024);
        assertThat(run.fetchedBytes()).isZero();
        assertThat(run.peakTaskBytes()).isEqualTo(2 * CHUNK_BYTES);
        x.unpersist();
    }

    @Test
    void aFoldAndWhatUsesItAreTwoJobsOfOneRun() throws IOException {
        DistributedTensor x = read();
        DistributedTensor y = x.sub(x.mean(0));
        y.collect();
        RunFigures run = figures(y);
        assertThat(run.jobs()).isEqualTo(2);
        assertThat(run.tasks()).isEqualTo(4 + 8); // a task of the fold goes along two chunks
        assertThat(run.fileBytes()).isEqualTo(2 * BYTES);
        assertThat(run.peakTaskBytes())
                .isLessThanOrEqualTo(y.lastRun().orElseThrow().plan().peakBytes());
    }

    @Test
    void whatTheTasksBeforeAShuffleReadCountsToo() throws IOException {
        DistributedTensor x = read().mul(2).cache();
        DistributedTensor y = x.transpose(0, 1);
        y.collect();
        RunReport report = y.lastRun().orElseThrow();
        assertThat(report.plan().shuffleBytes()).isEqualTo(BYTES);
        RunFigures run = report.figures();
        assertThat(run.jobs()).isEqualTo(1);
        assertThat(run.stages()).isEqualTo(2);
        assertThat(run.tasks()).isEqualTo(16);
        assertThat(run.fileBytes()).isEqualTo(BYTES);
        assertThat(run.shuffledBytes()).isBetween(1L, BYTES + 1024 * 1024);
        assertThat(run.peakTaskBytes()).isBetween(CHUNK_BYTES, report.plan().peakBytes());
        x.unpersist();
    }

    /** Rows of 256 KiB: between two blocks of columns lies more than is worth reading. */
    private DistributedTensor wide(long chunkBytes) throws IOException {
        Path wide = folder.resolve("wide.npy");
        Npy.write(Tensors.arange(32 * 65_536).to(DType.FLOAT32).view(32, 65_536), wide, WriteMode.CREATE);
        return LocalSpark.broadloom().withChunkBytes(chunkBytes).readNpy(wide.toString());
    }

    @Test
    void ofColumnsOfAFileTheirBytesAreRead() throws IOException {
        DistributedTensor y = wide(CHUNK_BYTES).narrow(1, 1000, 500).mul(2);
        assertThat(y.collect().getDouble(31, 499)).isEqualTo(2 * (31 * 65_536 + 1499));
        assertThat(figures(y).fileBytes()).isEqualTo(32 * 500 * 4);
        DistributedTensor highest = y.amax(0);
        assertThat(highest.collect().getDouble(0)).isEqualTo(2 * (31 * 65_536 + 1000));
        assertThat(figures(highest).fileBytes()).isEqualTo(32 * 500 * 4);
    }

    @Test
    void aFileIsTurnedRoundWithoutAShuffleWhereItsBlocksAreLongEnough() throws IOException {
        DistributedTensor y = wide(4 * CHUNK_BYTES).t().mul(2); // blocks of 32 rows by 32,768 columns
        assertThat(y.collect().getDouble(65_535, 31)).isEqualTo(2 * (32 * 65_536 - 1));
        RunReport report = y.lastRun().orElseThrow();
        assertThat(report.plan().shuffleBytes()).isZero();
        assertThat(report.figures().tasks()).isEqualTo(2);
        assertThat(report.figures().fileBytes()).isEqualTo(BYTES);
    }

    @Test
    void aFileIsShuffledWhereTheStepsBetweenItsBlocksWouldCostMore() throws IOException {
        DistributedTensor y = wide(CHUNK_BYTES / 4).t().mul(2); // 2,048 columns, of which a row has 8 KiB
        assertThat(y.collect().getDouble(65_535, 31)).isEqualTo(2 * (32 * 65_536 - 1));
        assertThat(y.lastRun().orElseThrow().plan().shuffleBytes()).isEqualTo(BYTES);
        assertThat(figures(y).fileBytes()).isEqualTo(BYTES);
    }

    /** Two operands are made of the same block. */
    @Test
    void whatIsUsedInTwoWaysIsReadOnce() throws IOException {
        DistributedTensor x = read();
        DistributedTensor difference = x.sub(x.flip(1));
        assertThat(difference.collect().getDouble(0, 0, 0)).isZero();
        assertThat(figures(difference).fileBytes()).isEqualTo(BYTES);

        x.materialize();
        DistributedTensor fromChunks = x.sub(x.flip(1));
        fromChunks.collect();
        assertThat(figures(fromChunks).chunkBytes()).isBetween(BYTES, BYTES + BYTES / 8);
        x.unpersist();
    }

    /** Each task goes through all of b in steps, and takes its own rows of a before the first. */
    @Test
    void aStreamReadsWhatEveryStepNeedsOnce() {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 16).withReplicateBytes(1 << 14);
        long aBytes = 4 * 8192 * 64;
        long bBytes = 4 * 512 * 64;
        DistributedTensor a =
                broadloom.tensor(Tensors.arange(8192 * 64).view(8192, 64).to(DType.FLOAT32), 8);
        DistributedTensor b =
                broadloom.tensor(Tensors.arange(512 * 64).view(512, 64).to(DType.FLOAT32), 8);
        a.materialize();
        b.materialize();
        DistributedTensor nearest =
                a.unsqueeze(1).sub(b.unsqueeze(0)).square().sum(2).argmin(1);
        nearest.collect();
        RunReport report = nearest.lastRun().orElseThrow();
        ChunkGrid grid = report.plan().stages().get(0).grid();
        assertThat(report.plan().stages().get(0).kind()).isEqualTo(Stage.Kind.STREAM);
        assertThat(grid.along(1).chunks()).isGreaterThanOrEqualTo(4);
        long ownRows = aBytes * Math.max(1, grid.along(0).chunks() / 8); // each task reads the chunk with its rows
        assertThat(report.figures().chunkBytes())
                .isBetween(ownRows, (ownRows + grid.along(0).chunks() * bBytes) * 11 / 10);
        a.unpersist();
        b.unpersist();
    }

    @Test
    void aKernelIsCompiledByTheTaskThatNeedsItFirst() throws IOException {
        DistributedTensor y = read().mul(3.140625).add(0.33203125).abs().sqrt();
        y.collect();
        assertThat(figures(y).kernels()).isEqualTo(1);
        y.collect();
        assertThat(figures(y).kernels()).isZero();
    }

    @Test
    void whatTheDriverReadsItselfCountsToo() throws IOException {
        Path small = folder.resolve("m.npy");
        Npy.write(Tensors.ones(64), small, WriteMode.CREATE);
        DistributedTensor y = read().sub(LocalSpark.broadloom().readNpy(small.toString()));
        y.collect();
        assertThat(figures(y).fileBytes()).isEqualTo(BYTES + 64 * 4);
    }

    @Test
    void anotherActionOfAnotherHandleDoesNotCount() throws IOException {
        DistributedTensor y = read().mul(2);
        y.collect();
        RunFigures before = figures(y);
        read().mul(5).collect();
        assertThat(figures(y)).isEqualTo(before);
    }

    @Test
    void theExplanationShowsTheMeasurementBesideTheEstimateUntilTheHandleStandsForSomethingElse() throws IOException {
        DistributedTensor y = read().mul(2);
        y.writeNpy(folder.resolve("y").toString(), WriteMode.CREATE);
        assertThat(y.explain())
                .contains("1 job (ran 1) · 1 stage (ran 1) · 8 tasks (ran 8) · "
                        + "peak memory of a task about 2.0 MiB (measured 2.0 MiB)")
                .contains("read 8.0 MiB of files and 0 B of cached chunks");
        y.add_(1);
        assertThat(y.explain()).contains("1 job · 1 stage · 8 tasks · peak").doesNotContain("(ran ");
        assertThat(y.lastRun().orElseThrow().toString().lines())
                .contains("tasks                              8            8")
                .contains("files read                                8.0 MiB");
    }
}
