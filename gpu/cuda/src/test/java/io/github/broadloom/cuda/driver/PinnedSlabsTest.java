package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.Map;
import jcuda.driver.CUcontext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slabs that are pinned: devices copy from and to tensors themselves, and nobody is served what was there before or after. */
@WithFakeGpu
class PinnedSlabsTest {
    private static final Device FIRST = Device.of("cuda", 0);
    private static final Device SECOND = Device.of("cuda", 1);
    private static final int CALLS_AT_MOST = 200;
    private static final long BYTES = 4 << 20;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void workRunsLate() {
        FakeGpus.closeAll();
        Memory.awaitReleased();
        Memory.trim();
        driver.deferWork();
    }

    @AfterEach
    void nothingIsPinned() {
        driver.failNothing();
        FakeGpus.closeAll();
    }

    private static Tensor x() {
        Tensor numbers = Tensors.arange(BYTES / 4);
        Tensor x = numbers.to(DType.FLOAT32).view(BYTES / 4096, 1024);
        numbers.release();
        return x;
    }

    private static Expr expression(String text, Tensor x) {
        return LazyTensor.eval(text, Map.of("x", x, "row", x.select(0, 7))).expr();
    }

    private static void assertEvaluated(Device device, String text, Tensor x) {
        Expr expr = expression(text, x);
        Tensor expected = Devices.backend(Device.CPU).evaluate(expr, 1);
        Tensor result = Devices.backend(device).evaluate(expr, 1);
        assertThat(Arrays.equals(result.toFloatArray(), expected.toFloatArray()))
                .as("the bits of the CPU")
                .isTrue();
        expected.release();
        result.release();
    }

    private static long staged(Runnable work) {
        long before = GpuCounter.STAGED_BYTES.sum();
        work.run();
        return GpuCounter.STAGED_BYTES.sum() - before;
    }

    @Test
    void noThreadCopiesWhatGoesThereAndComesBack() {
        Tensor x = x();
        Runnable work = () -> assertEvaluated(FIRST, "x * 2 - 1", x);
        assertThat(staged(work)).isEqualTo(2 * BYTES);
        Gpus.gpu(FIRST).slabs().enable(true);
        assertThat(staged(work)).isZero();
        assertThat(GpuCounter.PINNED_BYTES.sum()).isPositive();
        Gpus.gpu(FIRST).slabs().enable(false);
        assertThat(staged(work)).isEqualTo(2 * BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(x - row) * 2", "median(x, 0) + x", "x.t() + 1", "sum(x * row, 1)", "cat([x, x], 0)"})
    void whatIsFreedOrWrittenMeanwhileIsNotSeen(String text) {
        Gpus.gpu(FIRST).slabs().enable(true);
        assertEvaluated(FIRST, text, x());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 300 * 1024})
    void whatWasCopiedMayBeOverwrittenThoughItIsPinned(int elements) {
        Gpus.gpu(FIRST).slabs().enable(true);
        Tensor x = x();
        assertEvaluated(FIRST, "x + 1", x); // which pins it
        try (GpuStream stream = Gpus.gpu(FIRST).stream()) {
            DeviceBlock block = stream.allocate(4L * elements);
            stream.upload(x.address() + 4096, block.address(), 4L * elements);
            x.fill_(-1);
            stream.download(block.address(), x.address(), 4L * elements);
            block.release();
        }
        assertThat(x.view(BYTES / 4).narrow(0, 0, 1).toFloatArray()[0]).isEqualTo(1024f);
    }

    @Test
    void aSlabIsPinnedOnceForAllDevices() {
        driver.devices(2);
        Gpus.gpu(FIRST).slabs().enable(true);
        Gpus.gpu(SECOND).slabs().enable(true);
        Tensor x = x();
        long staged = staged(() -> {
            for (int i = 0; i < 3; i++) {
                assertEvaluated(FIRST, "x * 2", x);
                assertEvaluated(SECOND, "x * 3", x);
            }
        });
        assertThat(staged).isZero();
        assertThat(driver.calls("cuMemHostRegister")).isOne();
    }

    @Test
    void aSlabIsUnpinnedBeforeTheSystemHasItBack() {
        driver.devices(2);
        Gpus.gpu(FIRST).slabs().enable(true);
        Tensor x = x();
        assertEvaluated(FIRST, "x * 2", x);
        x.release();
        Memory.awaitReleased();
        try (GpuStream stream = Gpus.gpu(SECOND).stream()) {
            DeviceBlock block = stream.allocate(8);
            CUcontext before = CudaDriver.ctxGetCurrent();
            Memory.trim();
            assertThat(CudaDriver.ctxGetCurrent()).as("of the other device").isEqualTo(before);
            stream.fill(block.address(), (byte) 0, 8);
            block.release();
        }
        assertThat(driver.calls("cuMemHostUnregister")).isOne();
        assertEvaluated(FIRST, "x * 2", x());
        assertThat(driver.calls("cuMemHostRegister")).isEqualTo(2);
    }

    @Test
    void aStreamWorksThoughItsThreadUsedAnotherDeviceMeanwhile() {
        driver.devices(2);
        try (GpuStream first = Gpus.gpu(FIRST).stream()) {
            DeviceBlock block = first.allocate(8);
            try (GpuStream second = Gpus.gpu(SECOND).stream()) {
                assertThat(second.isBusy()).isFalse();
            }
            first.fill(block.address(), (byte) 0, 8); // else a misuse of the driver
            block.release();
        }
    }

    @Test
    void whereTheDriverRefusesCopiesAreStaged() {
        Gpus.gpu(FIRST).slabs().enable(true);
        driver.failCalls("cuMemHostRegister", 1, 1000, FakeDriver.OUT_OF_MEMORY);
        Tensor x = x();
        assertThat(staged(() -> {
                    assertEvaluated(FIRST, "x * 2", x);
                    assertEvaluated(FIRST, "x * 3", x);
                }))
                .isEqualTo(4 * BYTES);
        assertThat(driver.calls("cuMemHostRegister")).isOne();
    }

    @Test
    void anyCallMayFailAndNothingIsLeft() {
        Tensor x = x();
        boolean raised = true;
        int failures = 0;
        for (int call = 1; raised; call++) {
            assertThat(call).isLessThan(CALLS_AT_MOST);
            Gpus.gpu(FIRST).slabs().enable(true);
            driver.failCall(call, FakeDriver.INVALID_VALUE);
            try {
                assertEvaluated(FIRST, "x * 2", x);
            } catch (CudaException e) {
                failures++;
            }
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            assertEvaluated(FIRST, "x * 3", x);
            FakeGpus.closeAll(); // which finds nothing lent, and nothing pinned
        }
        assertThat(failures).isPositive();
    }
}
