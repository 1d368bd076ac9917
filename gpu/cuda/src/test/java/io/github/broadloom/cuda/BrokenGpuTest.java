package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After some errors CUDA refuses all work of a process on a device: who asks for it is told why, and {@code auto} takes the CPU. */
@WithFakeGpu
class BrokenGpuTest {
    private static final Device CUDA = Device.of("cuda");
    private static final String REASON =
            "CUDA_ERROR_ILLEGAL_ADDRESS \\(700, an illegal memory access was encountered\\)";

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
    }

    @AfterEach
    void close() {
        driver.failNothing();
        FakeGpus.closeAll();
    }

    private static Expr expression() {
        Tensor x = Tensors.arange(12_000).to(DType.FLOAT32).view(40, 300);
        return LazyTensor.eval("x * 2 + 1", Map.of("x", x)).expr();
    }

    private static void compute() {
        Devices.backend(CUDA).evaluate(expression(), 1).release();
    }

    /** As NVIDIA's documentation has them, and the unknown one. */
    @ParameterizedTest
    @ValueSource(ints = {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 911, 999})
    void errorsThatStayTakeADeviceOutOfService(int error) {
        compute();
        driver.failForGood("cuStreamSynchronize", 1, error);
        assertThatThrownBy(BrokenGpuTest::compute)
                .isInstanceOfSatisfying(
                        CudaException.class, e -> assertThat(e.status()).isEqualTo(error));
        assertThat(Devices.isAvailable(CUDA)).isFalse();
    }

    @Test
    void whatLivedOnTheDeviceIsToldToBeLost() {
        Tensor there = Tensors.arange(1 << 20).to(CUDA);
        driver.failForGood("cuLaunchKernel", 1, FakeDriver.ILLEGAL_ADDRESS);
        assertThatThrownBy(() -> LazyTensor.of(there).mul(2).compute()).isInstanceOf(CudaException.class);
        String sentence = "Cannot use device: cuda:0; it failed: Cannot compute mul.* on cuda:0: "
                + "cuLaunchKernel: " + REASON
                + "; the \\d{8} bytes that it held are lost; a new process may use it again";
        assertThatThrownBy(there::toLongArray)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(sentence);
        assertThatThrownBy(() -> LazyTensor.of(there).mul(2).compute(Device.AUTO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(sentence);
        there.release();
        assertThat(Gpus.usedBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"cuLaunchKernel, false", "cuStreamSynchronize, true", "cuMemAlloc, false", "cuMemcpyHtoDAsync, true"})
    void whatFailedForGoodIsToldToWhoeverComesLater(String call, boolean deferred) {
        compute();
        Gpus.gpu(CUDA).arena().freeKept();
        if (deferred) {
            driver.deferWork();
        }
        driver.failForGood(call, 1, FakeDriver.ILLEGAL_ADDRESS);
        assertThatThrownBy(BrokenGpuTest::compute)
                .isInstanceOf(CudaException.class)
                .hasMessageMatching("Cannot .* on cuda:0: " + call + ": " + REASON);
        assertThat(Gpus.usedBytes()).isZero();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(BrokenGpuTest::compute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching("Cannot use device: cuda:0; it failed: Cannot .* on cuda:0: " + call + ": "
                            + REASON + "(; the \\d+ bytes that it held are lost)?; a new process may use it again");
        }
        assertThat(Devices.isAvailable(CUDA)).isFalse();
    }

    @Test
    void autoTakesTheCpuAndSaysWhy() {
        driver.failForGood("cuLaunchKernel", 1, FakeDriver.ILLEGAL_ADDRESS);
        assertThatThrownBy(BrokenGpuTest::compute).isInstanceOf(CudaException.class);
        autoTakesTheCpuBecause("cuda:0 cannot be used: it failed: Cannot compute ");
    }

    @Test
    void autoTakesTheCpuWhileTheDeviceIsFull() {
        driver.memoryLimit(32 << 20);
        autoTakesTheCpuBecause("Cannot allocate 134217728 bytes on cuda:0: ");
    }

    @Test
    void autoTakesTheCpuWhereTheDeviceDoesNotOpen() {
        driver.failCalls("cuDevicePrimaryCtxRetain", 1, 9, FakeDriver.UNKNOWN);
        autoTakesTheCpuBecause("Cannot use device: cuda:0; cuDevicePrimaryCtxRetain: CUDA_ERROR_UNKNOWN");
    }

    private static void autoTakesTheCpuBecause(String reason) {
        Expr expr = expression();
        Tensor expected = Devices.backend(Device.CPU).evaluate(expr, 1);
        assertThat(Devices.backend(Device.AUTO).evaluate(expr, 1).values()).isEqualTo(expected.values());
        assertThat(Devices.backend(Device.AUTO).explain(expr, Detail.PLAN)).startsWith("auto: cpu, because " + reason);
        assertThat(Gpus.usedBytes()).isZero();
    }

    @Test
    void anotherDeviceStaysUsable() {
        driver.devices(2);
        driver.failCall("cuLaunchKernel", 1, FakeDriver.ILLEGAL_ADDRESS);
        assertThatThrownBy(BrokenGpuTest::compute).isInstanceOf(CudaException.class);
        Device second = Device.of("cuda:1");
        assertThat(Devices.isAvailable(CUDA)).isFalse();
        assertThat(Devices.isAvailable(second)).isTrue();
        Devices.backend(second).evaluate(expression(), 1).release();
    }

    @Test
    void anErrorThatPassesBreaksNothing() {
        driver.failCall("cuLaunchKernel", 1, FakeDriver.OPERATING_SYSTEM);
        assertThatThrownBy(BrokenGpuTest::compute).isInstanceOf(CudaException.class);
        compute();
    }
}
