package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.RunFigures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrOptions.Compression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;

/** Partial results that tasks join, group by group, have the bits of one machine, in one job. */
class FoldedByTasksTest {
    private static final int ROWS = 1600;
    private static final int COLUMNS = 500;
    /** What the driver takes here, where a partial result of a sum has 4000 bytes, and Spark adds as much. */
    private static final long DRIVER_BYTES = 8_000;

    /** Of no number that float32 has exactly, so that every order of summing shows. */
    private static Tensor numbers() {
        return LazyTensor.of(Tensors.arange((long) ROWS * COLUMNS).to(DType.FLOAT64))
                .mul(0.7)
                .sin()
                .to(DType.FLOAT32)
                .compute()
                .view(ROWS, COLUMNS);
    }

    private static RunReport assertSame(Broadloom broadloom, String expression, int chunks) {
        Map<String, Tensor> here = Map.of("x", numbers());
        DistributedTensor x = broadloom
                .withTaskBytes(Long.MAX_VALUE)
                .tensor(here.get("x"), chunks)
                .materialize();
        try {
            DistributedTensor result = broadloom.eval(expression, Map.of("x", x));
            Bits.assertSame(result.collect(), LazyTensor.eval(expression, here).compute());
            return result.lastRun().orElseThrow();
        } finally {
            x.unpersist();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sum(x, 0); 1",
                "sum(x, 0); 2",
                "sum(x, 0); 7",
                "mean(x, 0); 90",
                "std(x, 0); 7",
                "std(x, 0); 61",
                "argmax(x, 0); 90",
                "mean(x, 0) / std(x, 0) + amax(x, 0); 33",
                "x[:, :20].t() @ x[:, :20]; 2",
                "x[:, :20].t() @ x[:, :20]; 5"
            })
    void theBitsAreThoseOfOneMachineInOneJob(String expression, int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(16_384).withDriverBytes(DRIVER_BYTES);
        RunReport report = assertSame(broadloom, expression, chunks);
        RunFigures run = report.figures();
        assertThat(run.jobs()).isEqualTo(1).isEqualTo(report.plan().jobs());
        assertThat(run.stages())
                .isEqualTo(chunks == 1 ? 1 : 2)
                .isEqualTo(report.plan().sparkStages());
        assertThat(run.tasks()).isEqualTo(report.plan().tasks());
        assertThat(run.shuffledBytes() > 0).isEqualTo(chunks > 1);
        assertThat(report.plan().peakBytes()).isGreaterThanOrEqualTo(run.peakTaskBytes());
    }

    @Test
    void groupsOfGroupsAreJoinedToo() {
        // a task that may hold 400 kB joins four partial results of ten rows, which are up to four nodes of 4000 bytes
        Broadloom broadloom =
                LocalSpark.broadloom().withDriverBytes(DRIVER_BYTES).withTaskBytes(400_000);
        RunReport report = assertSame(broadloom, "sum(x, 0)", 160);
        Stage fold = report.plan().stages().get(0);
        assertThat(fold.foldTree(report.plan().settings()).groups()).hasSizeGreaterThan(2);
        assertThat(report.figures().jobs()).isEqualTo(1);
        assertThat(report.figures().stages()).isEqualTo(report.plan().sparkStages());
        assertThat(report.figures().tasks()).isEqualTo(report.plan().tasks());
    }

    /** What is left of each chunk of a store would be as much as an eighth of what is read. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sum(x, 0); 7",
                "std(x, 0); 16",
                "argmax(x, 0); 33",
                "mean(x, (0, 2)); 16",
                "amax(x * m, 0) + sum(x * w, 0); 8",
                "mean(x - y, 0, keepdim=True); 16"
            })
    void aTaskGoesAlongSeveralChunksOfFiles(String expression, int rows, @TempDir Path folder) throws IOException {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(16L * COLUMNS * Float.BYTES);
        Map<String, Tensor> here = new TreeMap<>();
        Map<String, DistributedTensor> there = new TreeMap<>();
        for (String name : List.of("x", "y", "w", "m")) {
            Tensor values = name.equals("w")
                    ? numbers().narrow(1, 3, 1).unsqueeze(2)
                    : name.equals("m")
                            ? numbers().narrow(0, 0, 1).view(COLUMNS / 2, 2)
                            : numbers().view(ROWS, COLUMNS / 2, 2);
            here.put(name, values);
            boolean isStored = name.equals("x") || name.equals("y");
            there.put(
                    name,
                    isStored
                            ? stored(broadloom, values, folder.resolve(name + ".zarr"), Shape.of(rows, COLUMNS / 2, 2))
                            : broadloom.tensor(values));
        }
        here.keySet().removeIf(name -> !expression.replaceAll("[a-z]{2,}", "").contains(name));
        there.keySet().retainAll(here.keySet());
        DistributedTensor result = broadloom.eval(expression, there);
        Bits.assertSame(result.collect(), LazyTensor.eval(expression, here).compute());
        RunReport report = result.lastRun().orElseThrow();
        assertThat(report.plan().stages().get(0).isInSteps()).as("%s", report).isTrue();
        assertThat(report.plan().stages().get(0).tasks().chunks()).isLessThanOrEqualTo(4); // of two slots
        assertThat(report.figures().tasks()).isEqualTo(report.plan().tasks());
        assertThat(report.plan().peakBytes())
                .isBetween(
                        report.figures().peakTaskBytes(), 2 * report.figures().peakTaskBytes());
    }

    static Stream<Arguments> groups() {
        return Stream.of(
                Arguments.of("sum", 10),
                Arguments.of("mean", 86),
                Arguments.of("var", 10),
                Arguments.of("prod", 10),
                Arguments.of("min", 10),
                Arguments.of("max", 7),
                Arguments.of("nansum", 16));
    }

    /** Of a store whose chunks have all columns, groups are not sent column by column: a task joins those of its rows, block by block. */
    @SomeOf(value = "groups", oneIn = 3)
    void aTaskJoinsGroupsOfTheRowsOfFiles(String function, int rows, @TempDir Path folder) throws IOException {
        int all = 600;
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 20);
        Tensor values = LazyTensor.random(5).randn(all, 7001, 2).mul(100).compute();
        long[] labels = new long[all];
        Arrays.setAll(labels, row -> row * 7L % 13 - 1); // some of no group
        boolean byLine = function.equals("max");
        Tensor by = Tensors.of(labels);
        if (byLine) {
            by = by.view(all, 1, 1).expand(all, 7001, 2).contiguous();
        }
        DistributedTensor x = stored(broadloom, values, folder.resolve("x.zarr"), Shape.of(rows, 7001, 2));
        Object stored = byLine ? stored(broadloom, by, folder.resolve("by.zarr"), Shape.of(rows, 7001, 2)) : by;
        DistributedTensor result = x.groupBy(stored, 11, 0).reduce(function);
        Bits.assertSame(
                result.collect(),
                LazyTensor.of(values).groupBy(by, 11, 0).reduce(function).compute());
        RunReport report = result.lastRun().orElseThrow();
        List<Stage> folds = report.plan().stages().stream()
                .filter(stage -> stage.kind() == Stage.Kind.FOLD)
                .toList();
        assertThat(folds).as("%s", report).isNotEmpty().allMatch(Stage::isInSteps);
        assertThat(folds.get(0).tasks().chunks()).isBetween(2, 4);
        assertThat(report.figures().tasks()).isEqualTo(report.plan().tasks());
        assertThat(report.plan().peakBytes())
                .isBetween(
                        report.figures().peakTaskBytes(), 2 * report.figures().peakTaskBytes());
    }

    /** Chunks that caches do not hold are read part by part where each is read by itself: what is compressed is not. */
    @ParameterizedTest
    @CsvSource({"NONE,NONE,175", "ZSTD,NONE,350", "NONE,ZSTD,350"})
    void partsOfLargeChunksAreReadByThemselves(Compression ofX, Compression ofY, long columns, @TempDir Path folder)
            throws IOException {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 20);
        Tensor x = LazyTensor.random(6).randn(16, 350, 700).to(DType.FLOAT64).compute();
        Tensor y = LazyTensor.of(x).cos().compute();
        ZarrOptions options = ZarrOptions.DEFAULT.withChunk(Shape.of(8, 350, 350));
        DistributedTensor result = broadloom.eval(
                "mean(x * y, 0)",
                Map.of(
                        "x", stored(broadloom, x, folder.resolve("x.zarr"), options.withCompression(ofX)),
                        "y", stored(broadloom, y, folder.resolve("y.zarr"), options.withCompression(ofY))));
        Bits.assertSame(result.collect(), LazyTensor.of(x).mul(y).mean(0).compute());
        RunReport report = result.lastRun().orElseThrow();
        Stage stream = report.plan().stages().get(0);
        assertThat(stream.grid().largest()).as("%s", report).isEqualTo(Shape.of(8, columns, 350));
        long measured = report.figures().peakTaskBytes();
        assertThat(report.plan().peakBytes()).isBetween(measured, 3 * measured);
    }

    private static DistributedTensor stored(Broadloom broadloom, Tensor values, Path store, Shape chunk)
            throws IOException {
        return stored(broadloom, values, store, ZarrOptions.DEFAULT.withChunk(chunk));
    }

    private static DistributedTensor stored(Broadloom broadloom, Tensor values, Path store, ZarrOptions options)
            throws IOException {
        broadloom.tensor(values).writeZarr(store.toString(), WriteMode.CREATE, options);
        return broadloom.read(store.toString());
    }

    @Test
    void asMuchAsSparkLetsThroughComesToTheDriverInOneJob() throws Exception {
        LocalSpark.stop();
        SparkSession session = LocalSpark.session(
                "spark.driver.maxResultSize", "64k",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrationRequired", "true",
                "spark.kryo.registrator", KryoClasses.class.getName());
        try (Jobs jobs = Jobs.listen(session.sparkContext())) {
            Tensor x = numbers();
            DistributedTensor sum = Broadloom.on(session).tensor(x, 90).sum(0); // 360 kB and more of partial results
            Bits.assertSame(sum.collect(), LazyTensor.of(x).sum(0).compute());
            assertThat(jobs.descriptions()).hasSize(1);
            assertThat(sum.explain()).contains(", joined by 1 task, folded on the driver in row order");
        } finally {
            LocalSpark.stop();
        }
    }
}
