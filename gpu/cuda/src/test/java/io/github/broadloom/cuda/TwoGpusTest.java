package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with two devices gives no call of the driver what belongs to the other one: {@link WithFakeGpu} fails where it does. */
@WithFakeGpu
class TwoGpusTest {
    private static final List<Device> DEVICES = List.of(Device.of("cuda:0"), Device.of("cuda:1"));
    private static final List<String> EXPRESSIONS = List.of(
            "(x - row) * 3",
            "sum(x * row, 0)",
            "x - x.mean(1, keepdim=True)",
            "median(x, 0) + row",
            "cat([x, cumsum(x, 0)], 0)");

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
        driver.devices(2);
    }

    @AfterEach
    void close() {
        FakeGpus.closeAll();
    }

    private static Tensor x() {
        return Tensors.arange(60_000).to(DType.FLOAT32).view(300, 200);
    }

    private static Object here(String expression, Tensor x) {
        return LazyTensor.eval(expression, Map.of("x", x, "row", x.select(0, 7)))
                .compute()
                .toFloatArray();
    }

    /** Operands and result live on the device, and are released while another one may be current. */
    private static Object there(String expression, Tensor x, Device device, List<Tensor> left) {
        Tensor there = x.to(device);
        Tensor result = LazyTensor.eval(expression, Map.of("x", there, "row", there.select(0, 7)))
                .compute();
        assertThat(result.device()).isEqualTo(device);
        left.add(there);
        left.add(result);
        return result.toFloatArray();
    }

    /** Tensors of this JVM pass through the device. */
    private static Object through(String expression, Tensor x, Device device) {
        return LazyTensor.eval(expression, Map.of("x", x, "row", x.select(0, 7)))
                .compute(device)
                .toFloatArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThreadUsesThemInTurn(boolean deferred) {
        if (deferred) {
            driver.deferWork();
        }
        Tensor x = x();
        for (String expression : EXPRESSIONS) {
            Object expected = here(expression, x);
            List<Tensor> left = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Device device = DEVICES.get(i % 2);
                assertThat(there(expression, x, device, left)).isEqualTo(expected);
                assertThat(through(expression, x, device)).isEqualTo(expected);
            }
            left.forEach(Tensor::release); // those of the first device while the second one is current
        }
        assertThat(driver.launchesByDevice(ProcessHandle.current().pid()).subList(0, 2))
                .allSatisfy(launches -> assertThat(launches).isPositive());
    }

    @Test
    void severalThreadsUseBothWhereMemoryEnds() throws Exception {
        driver.memoryLimit(1 << 20); // of each; an operand is a quarter
        Tensor x = x();
        List<Object> expected =
                EXPRESSIONS.stream().map(expression -> here(expression, x)).toList();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 20; i++) {
                        int which = (first + i) % EXPRESSIONS.size();
                        Device device = DEVICES.get((first + i / 3) % 2);
                        assertThat(through(EXPRESSIONS.get(which), x, device)).isEqualTo(expected.get(which));
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(driver.calls("cuMemFree")).isPositive();
    }

    @Test
    void aTensorMovesFromOneToTheOther() {
        Tensor x = x();
        Tensor first = x.to(DEVICES.get(0));
        Tensor second = first.t().to(DEVICES.get(1));
        assertThat(second.device()).isEqualTo(DEVICES.get(1));
        first.release();
        assertThat(second.toFloatArray()).isEqualTo(x.t().toFloatArray());
        second.release();
    }
}
