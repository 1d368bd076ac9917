package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.cuda.driver.Staging;
import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tasks of a large executor share its GPUs: what they take of the driver is what they need at once, and is taken once. */
@WithFakeGpu
class ManyTasksTest {
    private static final int TASKS = 16;
    private static final int EVALUATIONS = 16;
    private static final String IDLE_SECONDS = "broadloom.memory.idleSeconds";
    private static final long PIECE_BYTES = 1 << 18;
    /** Each task has as many pieces of its tensor under way, each in a stream. */
    private static final int MOST_LANES = 3 * TASKS;
    /** The operand and the result; each task has a row beside them. */
    private static final int BLOCKS_OF_A_LANE = 2;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsGivenBackForWantOfATaker() {
        FakeGpus.closeAll();
        System.setProperty(IDLE_SECONDS, Long.toString(TimeUnit.DAYS.toSeconds(1)));
    }

    @AfterEach
    void nothingIsOpen() {
        System.clearProperty(IDLE_SECONDS);
        System.clearProperty(DeviceSettings.CUDA_PINNED.name());
        FakeGpus.closeAll();
    }

    private static Expr expression() {
        Tensor x = Tensors.arange(1 << 17).to(DType.FLOAT32).view(1 << 8, 1 << 9);
        return LazyTensor.eval("(x - row) * 2", Map.of("x", x, "row", x.select(0, 7)))
                .expr();
    }

    /** Each task has one thread and one of the devices, as in an executor of Spark. */
    private void evaluateInTasks(int devices) throws Exception {
        Expr expr = expression();
        float[] expected = Devices.backend(Device.CPU).evaluate(expr, 1).toFloatArray();
        ExecutorService threads = Executors.newFixedThreadPool(TASKS);
        try {
            List<Future<?>> tasks = new ArrayList<>();
            for (int task = 0; task < TASKS; task++) {
                Gpu gpu = Gpus.gpu(Device.of("cuda", task % devices));
                tasks.add(threads.submit(() -> {
                    for (int i = 0; i < EVALUATIONS; i++) {
                        Tensor result = new HostEvaluation(gpu, 1, PIECE_BYTES).evaluate(expr);
                        assertThat(Arrays.equals(result.toFloatArray(), expected))
                                .isTrue();
                        result.release();
                    }
                }));
            }
            for (Future<?> task : tasks) {
                task.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "1, true", "2, true"})
    void whatTheyTakeOfTheDriverIsTakenOnce(int devices, boolean workRunsLate) throws Exception {
        driver.devices(devices);
        if (workRunsLate) {
            driver.deferWork();
        }
        evaluateInTasks(devices);
        assertThat(driver.calls("cuMemHostAlloc")).isBetween(1L, 2L * MOST_LANES);
        assertThat(driver.calls("cuMemAlloc")).isLessThanOrEqualTo(MOST_LANES * BLOCKS_OF_A_LANE + TASKS);
        assertThat(driver.calls()).doesNotContainKeys("cuMemFreeHost", "cuMemFree");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "5, 2"})
    void pinnedMemoryStaysWithinItsLimit(int pieces, int devices) throws Exception {
        driver.devices(devices);
        driver.deferWork();
        System.setProperty(DeviceSettings.CUDA_PINNED.name(), Long.toString(pieces * Staging.PIECE_BYTES));
        evaluateInTasks(devices);
        assertThat(driver.calls("cuMemHostAlloc")).isEqualTo((long) devices * pieces);
        assertThat(driver.calls()).doesNotContainKeys("cuMemFreeHost");
    }
}
