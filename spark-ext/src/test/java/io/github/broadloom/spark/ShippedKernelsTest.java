package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executors with a GPU and no compiler, and a driver with a compiler and no GPU: the kernels travel with the plan. */
class ShippedKernelsTest {
    private static final String LAUNCH = "cuLaunchKernel";
    private static final String SURVEY = "broadloom: GPUs";

    @TempDir
    static Path folder;

    private static FakeDriver driver;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        assumeThat(FakeDriver.missing()).as("g++").isEmpty();
        driver = FakeDriver.place();
        driver.reset();
        cluster = new Cluster(
                folder,
                "spark.broadloom.device",
                "cuda",
                "spark.serializer",
                "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrationRequired",
                "true",
                "spark.kryo.registrator",
                KryoClasses.class.getName(),
                "spark.executorEnv.LD_LIBRARY_PATH",
                driver.folder().toString(),
                "spark.executor.extraJavaOptions",
                ExecutorClasses.OPTIONS + " -D" + HostCompiler.MISSING + "=true");
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Tensor x() {
        return Tensors.arange(97 * 12).to(DType.FLOAT32).view(97, 12);
    }

    /** A figure of the executors, together: each has one core, and one of the tasks. */
    private static long together(Figure figure) {
        return JavaSparkContext.fromSparkContext(cluster.context())
                .parallelize(Collections.nCopies(Cluster.EXECUTORS, 0), Cluster.EXECUTORS)
                .map(nothing -> figure.here())
                .reduce(Long::sum);
    }

    private interface Figure extends java.io.Serializable {
        long here();
    }

    private static void assertBits(String expression, int chunks) {
        Tensor row = x().select(0, 11);
        Tensor expected =
                LazyTensor.eval(expression, Map.of("x", x(), "row", row)).compute();
        Broadloom broadloom = cluster.broadloom();
        Bits.assertSame(
                broadloom
                        .eval(expression, Map.of("x", broadloom.tensor(x(), chunks), "row", broadloom.tensor(row)))
                        .collect(),
                expected);
    }

    private static long compilations() {
        return together(() -> Cubins.shared().stats().compilations());
    }

    private static long onCpu() {
        return together(GpuCounter.ON_CPU_FOR_KERNELS::sum);
    }

    @Test
    void theDriversKernelsAreAllThatExecutorsNeed() throws Exception {
        assertThat(Devices.isAvailable(Device.of("cuda"))).isFalse();
        long compilations = compilations();
        long onCpu = onCpu();
        try (Jobs jobs = Jobs.listen(cluster.context())) {
            for (String expression : List.of(
                    "(x - row) / (row + 1)",
                    "sum(x * x, 1)",
                    "(x - x.mean(0)) / x.std(0)",
                    "argmin(sum((x.unsqueeze(1) - row[:5].unsqueeze(1)) ** 2, -1), 1)",
                    "x.t() * 2")) {
                for (int chunks : new int[] {1, 2, 7}) {
                    assertBits(expression, chunks);
                }
            }
            assertThat(jobs.descriptions()).filteredOn(SURVEY::equals).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(driver.calls(LAUNCH)).isPositive();
        assertThat(driver.violations()).as(driver.message()).isZero();
        assertThat(compilations()).isEqualTo(compilations);
        assertThat(onCpu()).isEqualTo(onCpu);
    }

    /** On the driver; the executors have none. */
    @ParameterizedTest
    @CsvSource({HostCompiler.MISSING + ", x * 7 - row / 3", HostCompiler.REFUSING + ", x * 9 - row / 5"})
    void whereNobodyCanCompileTheCpuComputesAndItIsCounted(String compiler, String expression) {
        long onCpu = onCpu();
        System.setProperty(compiler, "true");
        try {
            assertBits(expression, 7);
        } finally {
            System.clearProperty(compiler);
        }
        assertThat(onCpu()).isEqualTo(onCpu + 7);
    }
}
