package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandardizeTest {
    private static final int ROWS = 53;
    private static final int COLUMNS = 4;
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("standardize")
                .config("spark.ui.enabled", "false")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void plainLoopsGiveTheSameHoweverTheTableIsCut(int chunks) {
        double[] table = table();
        Broadloom broadloom = Broadloom.on(spark);
        DistributedTensor x = broadloom.tensor(Tensors.copyOf(table, ROWS, COLUMNS), chunks);
        Statistics statistics = Statistics.of(Standardize.statistics(x, 1).collect());
        double[] result = Standardize.of(broadloom, x, statistics, 0).collect().toDoubleArray();
        for (int column = 0; column < COLUMNS; column++) {
            double mean = mean(table, column);
            double deviation = deviation(table, column, 1);
            assertThat(statistics.mean()[column]).isCloseTo(mean, within(1e-9));
            assertThat(statistics.deviation()[column]).isCloseTo(deviation, within(1e-9));
            for (int row = 0; row < ROWS; row++) {
                assertThat(result[row * COLUMNS + column])
                        .isCloseTo((table[row * COLUMNS + column] - mean) / deviation, within(1e-9));
            }
        }
    }

    @Test
    void filesGoInAndFilesComeOut() throws IOException {
        double[] table = table();
        Path x = write("x.npy", Tensors.copyOf(table, ROWS, COLUMNS).to(DType.FLOAT32));
        Path out = folder.resolve("out");
        String told = Cli.run("standardize", x.toString(), "--out", out.toString())
                .succeeds()
                .out();
        assertThat(told)
                .contains("x.npy: float32 [53, 4]", "848 bytes and then 848 bytes were read of X, which has 848");
        Tensor result = Npy.read(out.resolve("standardized.npy"));
        assertThat(result.dtype()).isEqualTo(DType.FLOAT32);
        double[] std = Npy.read(out.resolve("std.npy")).toDoubleArray();
        for (int column = 0; column < COLUMNS; column++) {
            double deviation = deviation(table, column, 0);
            assertThat(std[column]).isCloseTo(deviation, within(1e-5 * deviation));
            assertThat(result.getDouble(7, column))
                    .isCloseTo((table[7 * COLUMNS + column] - mean(table, column)) / deviation, within(1e-4));
        }
        assertThat(ImageIO.read(out.resolve("ranges.png").toFile()).getHeight()).isGreaterThan(1000);
        assertThat(out.resolve("plan.html")).content().contains("the statistics", "the result", "measured");
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "standardized.npy",
                            "mean.npy",
                            "std.npy",
                            "ranges.png",
                            "plan-statistics.svg",
                            "plan-result.svg",
                            "plan.html");
        }
    }

    @Test
    void sparkCountsTwoJobsThatReadTheTableOnceEach() throws Exception {
        int rows = 40_000;
        Path x = write("x.npy", Demo.table(rows, COLUMNS, 3));
        AtomicLong bytes = new AtomicLong();
        AtomicInteger tasks = new AtomicInteger();
        AtomicInteger jobs = new AtomicInteger();
        SparkListener listener = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                tasks.incrementAndGet();
                bytes.addAndGet(end.taskMetrics().inputMetrics().bytesRead());
            }

            @Override
            public void onJobEnd(SparkListenerJobEnd end) {
                jobs.incrementAndGet();
            }
        };
        spark.sparkContext().addSparkListener(listener);
        String out = folder.resolve("out").toString();
        Cli.run("standardize", x.toString(), "--out", out, "--chunk-bytes", "64k")
                .succeeds();
        spark.sparkContext().removeSparkListener(listener); // what it was told is counted: lastRun waited for the bus
        assertThat(jobs).hasValue(2);
        assertThat(tasks.get()).isGreaterThan(10);
        assertThat(bytes).hasValue(2L * rows * COLUMNS * Float.BYTES);
    }

    @Test
    void aConstantColumnBecomesNaNOrZeroAndIsNamed() throws IOException {
        double[] table = new double[3000];
        for (int row = 0; row < 1000; row++) {
            table[3 * row] = row;
            table[3 * row + 1] = 0.1; // no sum of it is exact
            table[3 * row + 2] = -row;
        }
        Path x = write("x.npy", Tensors.copyOf(table, 1000, 3));
        Path out = folder.resolve("out");
        String[] command = {"standardize", x.toString(), "--out", out.toString(), "--overwrite", "--eps", "0"};
        assertThat(Cli.run(command).succeeds().out()).contains("note: column 1: constant", "NaN", "--eps");
        Tensor result = Npy.read(out.resolve("standardized.npy"));
        assertThat(result.select(1, 1).contiguous().toDoubleArray()).containsOnly(Double.NaN);
        assertThat(result.select(1, 0).contiguous().toDoubleArray()).doesNotContain(Double.NaN);
        assertThat(Npy.read(out.resolve("std.npy")).getDouble(1)).isZero();
        command[6] = "1e-12";
        assertThat(Cli.run(command).succeeds().out()).contains("note: column 1: constant", "becomes 0");
        assertThat(Npy.read(out.resolve("standardized.npy"))
                        .select(1, 1)
                        .contiguous()
                        .toDoubleArray())
                .containsOnly(0);
    }

    @Test
    void aColumnWithANaNIsNamedAndTheOthersAreWhole() throws IOException {
        float[] table = {1, 2, 3, Float.NaN, 5, 9};
        Path x = write("x.npy", Tensors.copyOf(table, 3, 2));
        Path out = folder.resolve("out");
        assertThat(Cli.run("standardize", x.toString(), "--out", out.toString())
                        .succeeds()
                        .out())
                .contains("note: column 1: 1 NaN");
        Tensor result = Npy.read(out.resolve("standardized.npy"));
        assertThat(result.select(1, 1).contiguous().toFloatArray()).containsOnly(Float.NaN);
        float outer = (float) Math.sqrt(1.5); // 2 / sqrt((4 + 0 + 4) / 3)
        assertThat(result.select(1, 0).contiguous().toFloatArray()).containsExactly(-outer, 0, outer);
    }

    @Test
    void aColumnWithInfinityHasAPictureToo() throws IOException {
        double[] table = {Double.POSITIVE_INFINITY, 1, 2, 3};
        Path x = write("x.npy", Tensors.copyOf(table, 2, 2));
        Path out = folder.resolve("out");
        Cli.run("standardize", x.toString(), "--out", out.toString()).succeeds();
        assertThat(ImageIO.read(out.resolve("ranges.png").toFile()).getHeight()).isGreaterThan(1000);
        assertThat(Npy.read(out.resolve("standardized.npy"))
                        .select(1, 1)
                        .contiguous()
                        .toDoubleArray())
                .containsExactly(-1, 1);
    }

    @Test
    void integersBecomeFloats() throws IOException {
        Path x = write(
                "x.npy", Tensors.copyOf(new long[] {0, 200, 100, 100}, 4, 1).to(DType.UINT8));
        Path out = folder.resolve("out");
        Cli.run("standardize", x.toString(), "--out", out.toString()).succeeds();
        Tensor result = Npy.read(out.resolve("standardized.npy"));
        float outer = (float) Math.sqrt(2);
        assertThat(result.toFloatArray()).containsExactly(-outer, outer, 0, 0);
    }

    @Test
    void whatCannotBeStandardizedIsToldAndLeavesNothing() throws IOException {
        String x = write("x.npy", Tensors.zeros(4, 2)).toString();
        String line = write("line.npy", Tensors.zeros(4)).toString();
        String out = folder.resolve("out").toString();
        assertThat(Cli.run("standardize", line, "--out", out).sentence())
                .contains("line.npy")
                .contains("[4]");
        assertThat(Cli.run("standardize", "no.npy", "--out", out).sentence())
                .isEqualTo("broadloom: Cannot open no.npy: there is no such file");
        assertThat(Cli.run("standardize", x, "--eps", "-1", "--out", out).sentence())
                .contains("--eps");
        assertThat(Cli.run("standardize", x, "--correction", "-1", "--out", out).sentence())
                .contains("--correction");
        assertThat(Cli.run("standardize", x, "--columns", "3", "--out", out).sentence())
                .contains("--columns");
        String broken = Cli.copy("/npy/garbage.npy", folder).toString();
        assertThat(Cli.run("standardize", broken, "--out", out).sentence()).contains("garbage.npy");
        assertThat(Cli.run("standardize", x, "--out", x).sentence()).contains(x + " is a file, not a folder");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void resultsThatExistAreKept() throws IOException {
        String x = write("x.npy", Tensors.copyOf(table(), ROWS, COLUMNS)).toString();
        Path std = folder.resolve("std.npy");
        Npy.write(Tensors.of(7L), std, WriteMode.CREATE);
        assertThat(Cli.run("standardize", x, "--out", folder.toString()).sentence())
                .contains(std.toString())
                .contains("--overwrite");
        assertThat(folder.resolve("standardized.npy")).doesNotExist();
    }

    /** Columns of quite different places and spreads. */
    private static double[] table() {
        Random random = new Random(11);
        double[] table = new double[ROWS * COLUMNS];
        for (int i = 0; i < table.length; i++) {
            table[i] = Math.pow(10, i % COLUMNS) * (random.nextGaussian() + i % COLUMNS);
        }
        return table;
    }

    private static double mean(double[] table, int column) {
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            sum += table[row * COLUMNS + column];
        }
        return sum / ROWS;
    }

    private static double deviation(double[] table, int column, int correction) {
        double mean = mean(table, column);
        double squares = 0;
        for (int row = 0; row < ROWS; row++) {
            squares += Math.pow(table[row * COLUMNS + column] - mean, 2);
        }
        return Math.sqrt(squares / (ROWS - correction));
    }

    private Path write(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        Npy.write(tensor, file, WriteMode.CREATE);
        return file;
    }
}
