package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.plan.RunFigures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors in processes of their own: what local mode never sends over a wire has to travel here, through Kryo, encrypted and compressed. */
class ExecutorProcessesTest {
    @TempDir
    static Path folder;

    private static Cluster cluster;
    private static SparkSession session;

    @BeforeAll
    static void start() {
        cluster = new Cluster(
                folder,
                "spark.serializer",
                "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrationRequired",
                "true",
                "spark.kryo.registrator",
                KryoClasses.class.getName(),
                "spark.io.encryption.enabled",
                "true",
                "spark.rdd.compress",
                "true");
        session = cluster.session();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        session = null;
    }

    private static Tensor numbers(long... shape) {
        return Tensors.arange(io.github.broadloom.shape.Shape.of(shape).numel())
                .to(io.github.broadloom.dtype.DType.FLOAT32)
                .view(shape);
    }

    private static Expr apply(String op, Expr a, Expr b) {
        return Expr.apply(Op.of(op), a, b);
    }

    @Test
    void normalisationOfAFileEqualsTheLocalOne() throws IOException {
        Tensor x = numbers(40, 3, 8, 8);
        Tensor m = Tensors.of(0.5f, 0.25f, 0.125f).view(3, 1, 1);
        Tensor s = Tensors.of(2f, 3f, 4f).view(3, 1, 1);
        Npy.write(x, folder.resolve("x.npy"), WriteMode.CREATE);
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(4096);
        DistributedTensor y = broadloom.eval(
                "(x - m) / s",
                Map.of(
                        "x", broadloom.readNpy(folder.resolve("x.npy").toString()),
                        "m", broadloom.tensor(m),
                        "s", broadloom.tensor(s)));
        Tensor expected = Bits.local(apply("div", apply("sub", Input.of(x), Input.of(m)), Input.of(s)));
        Bits.assertSame(y.collect(), expected);
        y.writeNpy(folder.resolve("y.npy").toString(), WriteMode.CREATE);
        Bits.assertSame(Npy.read(folder.resolve("y.npy")), expected);
    }

    @Test
    void whatIsMadeAndMappedComesFromTheExecutors() {
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(4096);
        DistributedTensor x = broadloom.random(7).randn(101, 300).add(broadloom.arange(300));
        Tensor expected =
                LazyTensor.random(7).randn(101, 300).add(Tensors.arange(300)).compute();
        Bits.assertSame(x.collect(), expected);
        DistributedTensor negated =
                x.mapBlocks(rows -> LazyTensor.of(rows).neg().compute(), x.dtype(), 300);
        Bits.assertSame(
                negated.materialize().collect(), LazyTensor.of(expected).neg().compute());
        negated.unpersist();
    }

    /** The tasks of the grid ask for the same chunks at once, in several executors, of which none knows what the others compute. */
    @Test
    void chunksThatManyTasksReadAreComputedOnceByAllExecutors() throws IOException {
        String meeting = "sum(cumsum(a, 0).unsqueeze(1) * cumsum(b, 0).unsqueeze(0), -1)";
        Tensor a = numbers(64, 32);
        long bytes = 4L * 64 * 32;
        Npy.write(a, folder.resolve("meeting.npy"), WriteMode.CREATE);
        Broadloom broadloom =
                Broadloom.on(session).withReplicateBytes(bytes / 8).withChunkBytes(bytes / 4);
        DistributedTensor file = broadloom.readNpy(folder.resolve("meeting.npy").toString());
        DistributedTensor y = broadloom.eval(meeting, Map.of("a", file, "b", file.mul(2)));
        assertThat(y.explain()).contains("times, after a job that computes them");
        Bits.assertSame(
                y.collect(),
                LazyTensor.eval(
                                meeting,
                                Map.of("a", a, "b", LazyTensor.of(a).mul(2).compute()))
                        .compute());
        RunReport report = y.lastRun().orElseThrow();
        // Each of two scans goes over all rows twice, the first time without the last of four chunks.
        assertThat(report.figures().fileBytes()).as(report.toString()).isEqualTo(2 * (bytes + bytes * 3 / 4));
        assertThat(report.figures().jobs()).isEqualTo(report.plan().jobs());
        assertThat(report.figures().tasks()).isEqualTo(report.plan().tasks());
    }

    /** By two shuffles, in as many stages and tasks as said. */
    @Test
    void whatIndicesNameComesFromTheExecutorsThatHaveIt() throws IOException {
        Tensor x = numbers(640, 30);
        Tensor places = LazyTensor.random(3).randint(-640, 640, 201).compute();
        Npy.write(x, folder.resolve("asked.npy"), WriteMode.CREATE);
        Npy.write(places, folder.resolve("places.npy"), WriteMode.CREATE);
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(4096);
        DistributedTensor y = broadloom.eval(
                "x[i] * 2",
                Map.of(
                        "x", broadloom.readNpy(folder.resolve("asked.npy").toString()),
                        "i", broadloom.readNpy(folder.resolve("places.npy").toString())));
        Bits.assertSame(
                y.collect(),
                LazyTensor.eval("x[i] * 2", Map.of("x", x, "i", places)).compute());
        RunReport report = y.lastRun().orElseThrow();
        assertThat(report.figures().stages())
                .as(report.toString())
                .isEqualTo(report.plan().sparkStages())
                .isEqualTo(3);
        assertThat(report.figures().tasks()).isEqualTo(report.plan().tasks());
    }

    /** Ranges and what masks pick of them are kept there, and cut anew. */
    @Test
    void distinctValuesStayOnTheExecutors() {
        Tensor x = LazyTensor.random(5).randint(-900, 900, 4000).compute();
        DistributedUnique unique =
                Broadloom.on(session).withChunkBytes(2048).tensor(x, 5).mul(3).distinct();
        UniqueValues expected = LazyTensor.of(x).mul(3).unique();
        Bits.assertSame(unique.values().collect(), expected.values());
        Bits.assertSame(unique.counts().collect(), expected.counts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"MEMORY_ONLY", "MEMORY_ONLY_SER_2", "DISK_ONLY"})
    void cachedChunksOfDifferentCutsMeet(String level) {
        Tensor x = numbers(101, 30);
        Broadloom broadloom = Broadloom.on(session);
        StorageLevel storage = StorageLevel.fromString(level);
        DistributedTensor a = broadloom.tensor(x, 5).add(1).cache(storage);
        DistributedTensor b = broadloom.tensor(x, 3).mul(2).cache(storage);
        a.collect();
        b.collect();
        Expr expected =
                apply("sub", apply("add", Input.of(x), Expr.literal(1)), apply("mul", Input.of(x), Expr.literal(2)));
        Bits.assertSame(a.sub(b).collect(), Bits.local(expected));
        a.unpersist();
        b.unpersist();
    }

    @Test
    void theExecutorsTellOfTheirMemory() {
        Broadloom broadloom = Broadloom.on(session);
        DistributedTensor y = broadloom.tensor(numbers(64, 65_536), 4).add(1).materialize();
        ClusterMemory memory = broadloom.memory();
        assertThat(memory.figures()).containsKeys("driver").hasSizeBetween(2, Cluster.EXECUTORS + 1);
        long held = memory.figures().entrySet().stream()
                .filter(jvm -> !jvm.getKey().equals("driver"))
                .mapToLong(jvm -> jvm.getValue().heldBytes())
                .sum();
        assertThat(held).isGreaterThanOrEqualTo(64 * 65_536 * 4 / 4); // of one executor at least
        y.unpersist();
    }

    /** What Spark itself counts of {@code x - b}. */
    private record Cost(int jobs, int stages, long shuffledBytes, List<Long> replicatedBytes) {
        /** With a file x of 64 rows in eight chunks. */
        static Cost of(long columns, Tensor b) throws Exception {
            Path file = folder.resolve("counted.npy");
            Npy.write(numbers(64, columns), file, WriteMode.OVERWRITE);
            Broadloom broadloom = Broadloom.on(session).withChunkBytes(8 * columns * 4);
            DistributedTensor y = broadloom.readNpy(file.toString()).sub(broadloom.tensor(b));
            try (Jobs jobs = Jobs.listen(session.sparkContext())) {
                y.collect();
                assertThat(jobs.tasks()).isEqualTo(8);
                assertThat(jobs.replicatedBytes().keySet()).isEqualTo(jobs.executors());
                return new Cost(
                        jobs.descriptions().size(),
                        jobs.stages(),
                        jobs.shuffledBytes(),
                        List.copyOf(jobs.replicatedBytes().values()));
            }
        }
    }

    /** The smaller operand travels with the code of the tasks, the larger one in a broadcast variable. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 40_000})
    void aSmallOperandCostsOneJobOneStageNoShuffleAndItsUnexpandedBytesOncePerExecutor(int columns) throws Exception {
        float[] noise = new float[columns]; // which Spark's compression makes no smaller
        Random random = new Random(columns);
        for (int i = 0; i < columns; i++) {
            noise[i] = Float.intBitsToFloat(random.nextInt());
        }
        long code = Collections.max(Cost.of(columns, Tensors.ones(1)).replicatedBytes());
        Cost cost = Cost.of(columns, Tensors.copyOf(noise, 1, columns).expand(64, columns));
        assertThat(cost.jobs()).isEqualTo(1);
        assertThat(cost.stages()).isEqualTo(1);
        assertThat(cost.shuffledBytes()).isZero();
        long bytes = columns * 4L;
        assertThat(cost.replicatedBytes())
                .allSatisfy(fetched -> assertThat(fetched).isBetween(bytes, bytes + 4 * code));
    }

    @Test
    void anOperandThatTravelsWholeCostsItsBytesOncePerExecutor() throws Exception {
        Npy.write(numbers(64, 30, 1000), folder.resolve("many.npy"), WriteMode.CREATE);
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(480_000);
        DistributedTensor y =
                broadloom.readNpy(folder.resolve("many.npy").toString()).sub(broadloom.tensor(numbers(30, 1000)));
        Set<String> executors;
        try (Jobs jobs = Jobs.listen(session.sparkContext())) {
            y.collect();
            executors = jobs.executors();
        }
        RunFigures run = y.lastRun().orElseThrow().figures();
        assertThat(run.tasks()).isEqualTo(16);
        assertThat(run.replicatedBytes()).isEqualTo(executors.size() * 120_000L);
        assertThat(run.fileBytes()).isEqualTo(64 * 30 * 1000 * 4);
        assertThat(run.peakTaskBytes()).isEqualTo(2 * 4 * 30 * 1000 * 4 + 30 * 1000 * 4);
    }

    /** Each executor assembles one tensor of them. */
    @Test
    @Tag("full")
    void aLargeOperandTravelsInPiecesAndCostsItsBytesOncePerExecutor() throws Exception {
        Tensor x = numbers(64, 30, 1000);
        Tensor row = Bits.local(apply("add", Input.of(numbers(1, 30, 1000)), Expr.literal(0.5)));
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(480_000).withPieceBytes(7_000);
        DistributedTensor y = broadloom.tensor(x, 16).cache().sub(broadloom.tensor(row));
        Set<String> executors;
        try (Jobs jobs = Jobs.listen(session.sparkContext())) {
            Bits.assertSame(y.collect(), Bits.local(apply("sub", Input.of(x), Input.of(row))));
            executors = jobs.executors();
            assertThat(jobs.descriptions()).hasSize(1);
        }
        RunFigures run = y.lastRun().orElseThrow().figures();
        assertThat(run.replicatedBytes()).isGreaterThanOrEqualTo(executors.size() * 120_000L);
        y.unpersist();
    }

    @Test
    void reductionsAndLargeLocalTensorsTravel() {
        Tensor x = numbers(1000, 50);
        DistributedTensor d = Broadloom.on(session).withChunkBytes(20_000).tensor(x);
        Tensor mean = Bits.local(Expr.reduce(Reduction.MEAN, Input.of(x), KeepDim.DROP, 0));
        Bits.assertSame(d.sub(d.mean(0)).collect(), Bits.local(apply("sub", Input.of(x), Input.of(mean))));
    }

    @Test
    void scansGoOnFromChunkToChunk() {
        Tensor x = Bits.local(apply("mul", Input.of(numbers(100, 20_000)), Expr.literal(0.1)));
        DistributedTensor d =
                Broadloom.on(session).withChunkBytes(800_000).tensor(x).cache();
        Expr half = apply("mul", Input.of(x), Expr.literal(0.5));
        DistributedTensor sums = d.mul(0.5).cumsum(0).sub(d);
        Bits.assertSame(sums.collect(), Bits.local(apply("sub", Lines.cumsum(half, 0), Input.of(x))));
        RunFigures run = sums.lastRun().orElseThrow().figures();
        assertThat(run.jobs()).isEqualTo(2);
        d.unpersist();
    }

    @Test
    void whatGoesWrongInAnExecutorIsOneSentenceHere() throws IOException {
        Path file = folder.resolve("short.npy");
        Npy.write(numbers(64, 8), file, WriteMode.CREATE);
        DistributedTensor d = Broadloom.on(session).withChunkBytes(512).readNpy(file.toString());
        try (RandomAccessFile shrunk = new RandomAccessFile(file.toFile(), "rw")) {
            shrunk.setLength(200);
        }
        assertThatThrownBy(d::collect).hasMessageStartingWith("Cannot read ").hasMessageNotContaining("\n");
        Path output = folder.resolve("out.npy");
        assertThatThrownBy(() -> d.writeNpy(output.toString(), WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Cannot read ");
        assertThat(folder.toFile().list((dir, name) -> name.contains("out.npy")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void tensorsAreTablesAndTablesTensors(int chunks) {
        Broadloom broadloom = Broadloom.on(session);
        Tensor x = numbers(40, 3, 2);
        Tensor centred =
                Bits.local(apply("sub", Input.of(x), Expr.reduce(Reduction.MEAN, Input.of(x), KeepDim.DROP, 0)));
        DistributedTensor kept = broadloom.tensor(x, chunks).cache();
        Dataset<Row> table = broadloom.eval("x - mean(x, 0)", Map.of("x", kept)).toDataFrame("i", "v");
        assertThat(table.filter("size(v) = 6").count()).isEqualTo(40);
        Bits.assertSame(broadloom.fromDataFrame(table, "v").collect(), centred);
        Dataset<Row> mixed = table.repartition(5).cache();
        Bits.assertSame(broadloom.fromDataFrame(mixed, "v", "i").collect(), centred);
        assertThat(broadloom.fromDataFrame(mixed, "v").shape()).isEqualTo(x.shape());
        mixed.unpersist();
        kept.unpersist();
    }

    /** Chunks of 256 KiB that other executors keep are copied to the tasks that need them, one at a time. */
    @Test
    void whatIsFetchedFromOtherExecutorsIsInTheEstimate() {
        Broadloom broadloom = Broadloom.on(session).withReplicateBytes(1 << 16);
        DistributedTensor x = broadloom.tensor(numbers(512, 1024), 8).materialize();
        DistributedTensor y = broadloom.tensor(numbers(512, 1024), 5).materialize();
        DistributedTensor points = broadloom.tensor(numbers(1024, 64), 8).materialize();
        List<DistributedTensor> work = List.of(
                x.add(y),
                x.t().add(1),
                x.flip(0).sub(y),
                points.unsqueeze(1).sub(points.unsqueeze(0)).abs().sum(2).argmin(1));
        for (DistributedTensor result : work) {
            result.collect();
            RunReport report = result.lastRun().orElseThrow();
            assertThat(report.figures().peakTaskBytes())
                    .as(report.toString())
                    .isLessThanOrEqualTo(report.plan().peakBytes());
        }
        List.of(x, y, points).forEach(DistributedTensor::unpersist);
    }
}
