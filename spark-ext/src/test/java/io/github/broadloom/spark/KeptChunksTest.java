package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.metrics.MetricTotals;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that an action computes on its way, and that many of its tasks read. */
class KeptChunksTest {
    private static final int ROWS = 64;
    private static final int COLUMNS = 32;
    private static final long BYTES = 4L * ROWS * COLUMNS;
    /** Every row sum meets every other: two scans, which no block can compute itself, in a grid. */
    private static final String MEETING = "sum(cumsum(a, 0).unsqueeze(1) * cumsum(b, 0).unsqueeze(0), -1)";

    @TempDir
    Path folder;

    private final Broadloom broadloom =
            LocalSpark.broadloom().withReplicateBytes(BYTES / 8).withChunkBytes(BYTES / 4);

    private Map<String, Tensor> here;
    private Map<String, DistributedTensor> there;

    @BeforeEach
    void write() throws IOException {
        Tensor a = Tensors.arange((long) ROWS * COLUMNS).to(DType.FLOAT32).view(ROWS, COLUMNS);
        here = Map.of("a", a, "b", a.flip(0));
        Npy.write(here.get("a"), folder.resolve("a.npy"), WriteMode.CREATE);
        Npy.write(here.get("b"), folder.resolve("b.npy"), WriteMode.CREATE);
        there = Map.of("a", read("a.npy"), "b", read("b.npy"));
    }

    private DistributedTensor read(String name) throws IOException {
        return broadloom.readNpy(folder.resolve(name).toString());
    }

    private static int keptBySpark() {
        return LocalSpark.session().sparkContext().getPersistentRDDs().size();
    }

    @Test
    void theyAreComputedOnceHoweverManyTasksReadThem() {
        DistributedTensor y = broadloom.eval(MEETING, there);
        Bits.assertSame(y.collect(), LazyTensor.eval(MEETING, here).compute());
        // Each of the two passes of a scan reads a file once, the first one without the last chunk.
        assertThat(y.lastRun().orElseThrow().figures().fileBytes()).isBetween(2 * BYTES, 2 * 2 * BYTES);
        assertThat(y.lastRun().orElseThrow().figures().chunkBytes()).isGreaterThan(0);
    }

    @Test
    void aTableOfWhatReadsThemComputesThemOnceToo() {
        int kept = keptBySpark();
        long before = MetricTotals.of(TaskMetric.FILE_BYTES);
        List<Row> rows = broadloom.eval(MEETING, there).toDataFrame().collectAsList();
        assertThat(MetricTotals.of(TaskMetric.FILE_BYTES) - before).isBetween(2 * BYTES, 2 * 2 * BYTES);
        assertThat(rows).hasSize(ROWS);
        float last = rows.get(ROWS - 1).<Float>getList(1).get(ROWS - 1);
        assertThat(last)
                .isEqualTo((float) LazyTensor.eval(MEETING, here).compute().getDouble(ROWS - 1, ROWS - 1));
        Cluster.await("the end of the table", () -> {
            System.gc();
            return keptBySpark() == kept;
        });
    }

    @Test
    void thePlanSaysHowOftenTheyAreReadAndWhatThatKeeps() {
        assertThat(broadloom.eval(MEETING, there).explain())
                .containsPattern(
                        "kept on the cluster until the action is over: tasks read its [0-9]+ chunks [0-9]+ times")
                .contains("keeps 16.0 KiB of chunks meanwhile");
    }

    @Test
    void chunksThatOneTaskReadsAreNotKept() {
        DistributedTensor y = broadloom.eval("cumsum(a, 0) * b", there);
        assertThat(y.explain()).doesNotContain("kept on the cluster").doesNotContain("meanwhile");
        y.collect();
        assertThat(y.lastRun().orElseThrow().figures().chunkBytes()).isZero();
    }

    @Test
    void whenTheActionIsOverTheyAreGone() throws IOException {
        int before = keptBySpark();
        long held = Memory.allocatedBytes();
        DistributedTensor y = broadloom.eval(MEETING, there);
        Tensor value = y.collect();
        assertThat(keptBySpark()).isEqualTo(before);
        assertThat(Memory.allocatedBytes() - held).isLessThan(2 * BYTES + 4L * ROWS * ROWS);
        y.writeNpy(folder.resolve("y.npy").toString(), WriteMode.CREATE);
        assertThat(keptBySpark()).isEqualTo(before);
        y.materialize();
        assertThat(keptBySpark()).isEqualTo(before + 1);
        Bits.assertSame(y.collect(), value);
        y.unpersist();
        assertThat(keptBySpark()).isEqualTo(before);
    }

    @Test
    void theyAreGoneWhenTheActionFails() throws IOException {
        int before = keptBySpark();
        DistributedTensor y =
                broadloom.eval(MEETING + " / c", Map.of("a", there.get("a"), "b", there.get("b"), "c", large()));
        Files.write(folder.resolve("c.npy"), new byte[] {1, 2, 3});
        assertThatThrownBy(y::collect).hasMessageContaining("c.npy");
        assertThat(keptBySpark()).isEqualTo(before);
    }

    private DistributedTensor large() throws IOException {
        Npy.write(Tensors.ones(ROWS, ROWS), folder.resolve("c.npy"), WriteMode.CREATE);
        return read("c.npy");
    }
}
