package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operand that evaluations share goes to the device once, and stays there while it is of use and there is room. */
@WithFakeGpu
class HostCopiesTest {
    private static final Device CUDA = Device.of("cuda");
    private static final int COLUMNS = 50_000;
    private static final long ROW_BYTES = 4L * COLUMNS;

    private final FakeDriver driver = FakeDriver.load();
    private long before;

    @BeforeEach
    void start() {
        FakeGpus.closeAll();
        Gpus.gpu(CUDA);
        before = uploaded();
    }

    private long uploaded() {
        return driver.uploadedBytes(ProcessHandle.current().pid()) - before;
    }

    private static Tensor row(int value) {
        return Tensors.full(Shape.of(COLUMNS), value, DType.FLOAT32);
    }

    private static Tensor rows(int count) {
        return Tensors.arange((long) count * COLUMNS).to(DType.FLOAT32).view(count, COLUMNS);
    }

    private static void assertSum(Tensor x, Tensor row) {
        Expr expr = LazyTensor.eval("x + row", Map.of("x", x, "row", row)).expr();
        Tensor expected = Devices.backend(Device.CPU).evaluate(expr, 1);
        Tensor result = Devices.backend(CUDA).evaluate(expr, 1);
        assertThat(result.values()).isEqualTo(expected.values());
    }

    @Test
    void itGoesThereOnce() {
        Tensor row = row(7);
        for (int rows = 2; rows <= 4; rows++) {
            assertSum(rows(rows), row);
        }
        assertThat(uploaded()).isEqualTo((2 + 3 + 4 + 1) * ROW_BYTES);
    }

    @Test
    void viewsOfTheSameElementsShareIt() {
        Tensor row = row(7);
        assertSum(rows(2), row.view(COLUMNS));
        assertSum(rows(2), row.view(1, COLUMNS).expand(2, COLUMNS).select(0, 1));
        assertThat(uploaded()).isEqualTo((2 + 2 + 1) * ROW_BYTES);
    }

    @Test
    void whatWasWrittenToGoesThereAgain() {
        Tensor row = row(7);
        assertSum(rows(2), row);
        row.fill_(8);
        assertSum(rows(2), row);
        assertThat(uploaded()).isEqualTo((2 + 1 + 2 + 1) * ROW_BYTES);
        assertThat(Gpus.usedBytes()).as("the copy of before is gone").isLessThan(2 * ROW_BYTES);
    }

    @Test
    void itGoesWithTheTensor() {
        Tensor row = row(7);
        assertSum(rows(2), row);
        assertThat(Gpus.usedBytes()).isGreaterThanOrEqualTo(ROW_BYTES);
        row = row(8);
        for (int i = 0; i < 50 && Gpus.usedBytes() > 0; i++) {
            Memory.collectGarbage();
        }
        assertThat(Gpus.usedBytes()).isZero();
        assertSum(rows(2), row);
    }

    @Test
    void whatIsReleasedIsForgottenWhenTheNextComes() {
        Tensor first = row(7);
        assertSum(rows(2), first);
        first.release();
        assertSum(rows(2), row(8));
        assertThat(Gpus.usedBytes()).isLessThan(2 * ROW_BYTES);
    }

    @Test
    void memoryThatEndsIsTakenFromTheLongestUnused() {
        List<Tensor> rows = List.of(row(1), row(2), row(3));
        driver.memoryLimit(5 << 18); // 1.25 MiB: three copies, and not much beside them
        rows.forEach(row -> assertSum(rows(2), row));
        long all = uploaded();
        assertSum(rows(2), rows.get(2));
        assertThat(uploaded()).as("the last one is there").isEqualTo(all + 2 * ROW_BYTES);
        assertSum(rows(2), rows.get(0));
        assertThat(uploaded()).as("the first one had to go").isEqualTo(all + (2 + 2 + 1) * ROW_BYTES);
    }

    @Test
    void whatIsUsedStays() {
        driver.memoryLimit(1 << 20);
        Gpu gpu = Gpus.gpu(CUDA);
        try (SharedOperands used = new SharedOperands(gpu, List.of(row(1)))) {
            assertThat(used.copies()).hasSize(1);
            assertThatThrownBy(() -> gpu.arena().take(900 << 10, null)).isInstanceOf(OutOfDeviceMemoryException.class);
        }
        gpu.arena().take(900 << 10, null).release();
    }

    @Test
    void manyAtOnceBringItOnce() throws Exception {
        Tensor row = row(7);
        Gpu gpu = Gpus.gpu(CUDA);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Float>> results = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                results.add(threads.submit(() -> {
                    try (SharedOperands shared = new SharedOperands(gpu, List.of(row))) {
                        return shared.copies().get(row).to(Device.CPU).toFloatArray()[COLUMNS - 1];
                    }
                }));
            }
            for (Future<Float> result : results) {
                assertThat(result.get()).isEqualTo(7f);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(uploaded()).isEqualTo(ROW_BYTES);
    }

    @Test
    void whereTheFirstFailsTheNextBringsIt() {
        Tensor row = row(7);
        driver.failCall("cuMemcpyHtoDAsync", 1, FakeDriver.OPERATING_SYSTEM);
        assertThatThrownBy(() -> assertSum(rows(2), row)).isInstanceOf(CudaException.class);
        assertThat(Gpus.usedBytes()).isZero();
        assertSum(rows(2), row);
        assertThat(uploaded()).isEqualTo((2 + 1) * ROW_BYTES);
    }
}
