package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.GpuFigures;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors in processes of their own, each with two cores and two GPUs of the stand-in driver, which a discovery script hands out: {@code 0} and {@code 1}, {@code 2} and {@code 3}.
 */
@Tag("full")
@WithFakeGpu
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GpuExecutorsTest {
    private static final Device CUDA = Device.of("cuda");
    private static final int PATIENCE = 50;
    private static final List<Cluster.Resources> EXECUTORS =
            List.of(new Cluster.Resources(2, List.of(0, 1)), new Cluster.Resources(2, List.of(2, 3)));

    @TempDir
    static Path folder;

    private static FakeDriver driver;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        driver = FakeDriver.place();
        driver.devices(4);
        cluster = new Cluster(folder, EXECUTORS, settings("2", "1"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String[] settings(String ofExecutor, String ofTask) {
        return new String[] {
            "spark.executor.resource.gpu.amount",
            ofExecutor,
            "spark.task.resource.gpu.amount",
            ofTask,
            "spark.executorEnv.LD_LIBRARY_PATH",
            driver.folder().toString(),
            "spark.executor.extraJavaOptions",
            ExecutorClasses.OPTIONS,
            "spark.plugins",
            BroadloomPlugin.class.getName()
        };
    }

    @AfterEach
    void nothingIsOutstanding() throws IOException {
        driver.failNothing();
        assertThat(driver.violations()).as(driver.message()).isZero();
        assertThat(cluster.ask(GpuExecutorsTest::heldHere)).containsOnly("");
        assertThat(cluster.held()).containsOnly("");
    }

    /** An empty text, or what device memory is lent in an executor. */
    private static String heldHere() {
        for (int i = 0; i < PATIENCE && GpuCounter.HELD_BYTES.sum() > 0; i++) {
            Memory.collectGarbage();
        }
        long held = GpuCounter.HELD_BYTES.sum();
        return held == 0 ? "" : held + " bytes of device memory are lent";
    }

    private static Tensor x() {
        return Tensors.arange(97 * 1000).to(DType.FLOAT32).view(97, 1000);
    }

    private static Map<String, Tensor> names() {
        return Map.of("x", x(), "row", x().select(0, 11));
    }

    private static DistributedTensor distributed(String expression, int chunks) {
        Broadloom broadloom = cluster.broadloom().withDevice(CUDA);
        return broadloom.eval(
                expression, Map.of("x", broadloom.tensor(x(), chunks), "row", broadloom.tensor(x().select(0, 11))));
    }

    private static GpuFigures assertSame(String expression, int chunks) {
        DistributedTensor result = distributed(expression, chunks);
        Bits.assertSame(result.collect(), LazyTensor.eval(expression, names()).compute());
        return result.lastRun().orElseThrow().figures().gpu();
    }

    /** Of {@code x - row} in seven chunks, where the row is in a broadcast variable. */
    private static void anOperandThatIsReplicatedGoesToEachGpuOnce(Set<Long> processes) {
        int columns = 40_000;
        Tensor x = Tensors.arange(14L * columns).to(DType.FLOAT32).view(14, columns);
        Tensor row = LazyTensor.of(x.select(0, 3)).mul(2).compute();
        Broadloom broadloom = cluster.broadloom().withDevice(CUDA);
        long before = uploaded(processes);
        DistributedTensor result = broadloom.tensor(x, 7).sub(broadloom.tensor(row));
        Bits.assertSame(result.collect(), LazyTensor.of(x).sub(row).compute());
        assertThat(uploaded(processes) - before).isEqualTo((14L + processes.size()) * columns * 4);
    }

    private static long uploaded(Set<Long> processes) {
        return processes.stream().mapToLong(driver::uploadedBytes).sum();
    }

    /** The GPUs that Spark gives the tasks of each executor, by process. */
    private static Map<Long, Set<Integer>> given() {
        int tasks = 16;
        Map<Long, Set<Integer>> given = new TreeMap<>();
        JavaSparkContext.fromSparkContext(cluster.context())
                .parallelize(Collections.nCopies(tasks, 0), tasks)
                .map(nothing -> ProcessHandle.current().pid()
                        + " "
                        + String.join(
                                " ",
                                TaskContext.get().resourcesJMap().get("gpu").addresses()))
                .collect()
                .forEach(line -> {
                    String[] words = line.split(" ");
                    Arrays.stream(words)
                            .skip(1)
                            .map(Integer::valueOf)
                            .forEach(gpu -> given.computeIfAbsent(Long.valueOf(words[0]), pid -> new HashSet<>())
                                    .add(gpu));
                });
        return given;
    }

    /** The GPUs on which each process has run kernels. */
    private static Map<Long, Set<Integer>> used(Set<Long> processes) {
        Map<Long, Set<Integer>> used = new TreeMap<>();
        for (long pid : processes) {
            List<Long> launches = driver.launchesByDevice(pid);
            used.put(
                    pid,
                    IntStream.range(0, launches.size())
                            .filter(gpu -> launches.get(gpu) > 0)
                            .boxed()
                            .collect(Collectors.toSet()));
        }
        return used;
    }

    @Order(1)
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theBitsAreThoseOfTheCpu(int chunks) {
        for (String expression : List.of("(x - row) / (row + 1)", "sum(x * x, 1)", "(x - x.mean(0)) * 3")) {
            GpuFigures gpu = assertSame(expression, chunks);
            assertThat(gpu.uploadedBytes()).isPositive();
            assertThat(gpu.halved() + gpu.onCpuForMemory() + gpu.onCpuForKernels())
                    .isZero();
        }
    }

    @Order(2)
    @Test
    void everyTaskRunsOnTheGpuThatSparkGaveIt() {
        assertSame("(x - row) / (row + 1)", 7); // four at a time, each with a GPU of its own
        Map<Long, Set<Integer>> given = given();
        assertThat(given.values()).containsExactlyInAnyOrder(Set.of(0, 1), Set.of(2, 3));
        assertThat(used(given.keySet())).isEqualTo(given);
    }

    @Order(3)
    @Test
    void memoryMayEndAtAnyAllocation() throws IOException {
        boolean raised = true;
        for (int allocation = 1; raised; allocation++) {
            cluster.ask(GpuExecutorsTest::freeKept);
            driver.failCalls("cuMemAlloc", allocation, Long.MAX_VALUE, FakeDriver.OUT_OF_MEMORY);
            GpuFigures gpu = assertSame("(x - row) / (row + 1)", 7);
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            if (allocation == 1) { // nothing is to be had
                assertThat(gpu.uploadedBytes()).isZero();
                assertThat(gpu.onCpuForMemory()).isGreaterThanOrEqualTo(7);
            }
        }
    }

    private static String freeKept() {
        FakeGpus.freeKept();
        return "";
    }

    @Order(4)
    @Test
    void tasksShareAGpu() {
        cluster.restart(settings("1", "0.5"));
        assertSame("(x - row) / (row + 1)", 7); // four at a time, two on each GPU
        Map<Long, Set<Integer>> given = given();
        anOperandThatIsReplicatedGoesToEachGpuOnce(given.keySet());
        assertThat(given.values())
                .hasSize(2)
                .allSatisfy(gpus -> assertThat(gpus).hasSize(1));
        assertThat(used(given.keySet())).isEqualTo(given);
    }

    /** It is they who refuse, and not this JVM. */
    @Order(5)
    @Test
    void theExecutorsSayWhetherThereIsADevice() {
        cluster.broadloom().withDevice(CUDA).requireDevice();
        assertThatThrownBy(cluster.broadloom().withDevice(Device.of("cuda:77"))::requireDevice)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("On executor ")
                .hasMessageContaining("cuda:77");
    }
}
