package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors of this JVM pass through a GPU in pieces, some of them under way at a time, and the CPU computes what the GPU has no memory for. */
@WithFakeGpu
class HostEvaluationTest {
    private static final Device CUDA = Device.of("cuda");
    /** Of a usual chunk on Spark. */
    private static final long CHUNK_BYTES = 16 << 20;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
    }

    @AfterEach
    void nothingIsLent() {
        assertThat(Gpus.usedBytes()).isZero();
    }

    private static Tensor x() {
        long rows = CHUNK_BYTES / 4 / 1000;
        return Tensors.arange(rows * 1000).to(DType.FLOAT32).view(rows, 1000);
    }

    private static Expr expression(String text, Tensor x) {
        return LazyTensor.eval(text, Map.of("x", x, "row", x.select(0, 7), "column", x.narrow(1, 3, 1)))
                .expr();
    }

    private static Tensor onCpu(Expr expr) {
        return Devices.backend(Device.CPU).evaluate(expr, 2);
    }

    private static void assertSame(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        assertThat(LazyTensor.eval("amin(a == b)", Map.of("a", actual, "b", expected))
                        .compute()
                        .values())
                .isEqualTo(List.of(true));
    }

    @ParameterizedTest
    @CsvSource({"(x - row) * column, 1", "'sum(x * row, 1)', 1", "(x - row) * column, 2", "(x - row) * column, 3"})
    void threePiecesOfAChunkAreUnderWayHoweverFewThreads(String text, int threads) {
        Expr expr = expression(text, x());
        driver.deferWork();
        Tensor result = Devices.backend(CUDA).evaluate(expr, threads);
        assertSame(result, onCpu(expr));
        assertThat(driver.calls("cuLaunchKernel")).isGreaterThanOrEqualTo(3);
        if (threads == 1) { // with more of them, who comes first is chance
            assertThat(driver.mostKernelsWaiting()).isEqualTo(3);
        }
    }

    @Test
    void moreThanThreeThreadsCopyWhereThereAre() {
        Expr expr = expression("(x - row) * column", x());
        Tensor expected = onCpu(expr);
        ForkJoinPool pool = new ForkJoinPool(6);
        try {
            for (int i = 0; i < 50 && driver.calls("cuStreamCreate") <= 3; i++) { // who comes first is chance
                assertSame(pool.invoke(ForkJoinTask.adapt(() -> evaluated(expr, 6))), expected);
            }
        } finally {
            pool.shutdown();
        }
        assertThat(driver.calls("cuStreamCreate")).isGreaterThan(3);
    }

    private static Tensor evaluated(Expr expr, int threads) {
        return new HostEvaluation(Gpus.gpu(CUDA), threads, 1 << 20).evaluate(expr);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cumsum(x, 1) * row", "median(x, 1) + 1"})
    void functionsOfInnerLinesGoInPieces(String text) {
        Expr expr = expression(text, x().narrow(0, 0, 300));
        assertThat(RowCut.of(expr)).isPresent();
        assertSame(new HostEvaluation(Gpus.gpu(CUDA), 2, 300_000).evaluate(expr), onCpu(expr));
        assertThat(RowCut.of(expression("cumsum(x, 0)", x()))).isEmpty();
    }

    @Test
    void whatIsSmallGoesInOnePiece() {
        Expr expr = expression("x * 2", x().narrow(0, 0, 100));
        assertSame(Devices.backend(CUDA).evaluate(expr, 1), onCpu(expr));
        assertThat(driver.calls("cuLaunchKernel")).isOne();
    }

    @Test
    void deviceMemoryDoesNotGrowWithTheNumberOfPieces() {
        Tensor large = LazyTensor.eval("cat([x, x, x, x])", Map.of("x", x())).compute();
        Expr expr = expression("x + row", large);
        driver.memoryLimit(96 << 20); // of 128 MiB that go there and back
        long gaveWay = GpuCounter.HALVED.sum() + GpuCounter.ON_CPU_FOR_MEMORY.sum();
        assertSame(Devices.backend(CUDA).evaluate(expr, 1), onCpu(expr));
        assertThat(GpuCounter.HALVED.sum() + GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(gaveWay);
    }

    @Test
    void aPieceWithoutMemoryIsHalved() {
        Expr expr = expression("x + row", x());
        driver.memoryLimit(7 << 20); // below the 8 MiB of a piece
        long halved = GpuCounter.HALVED.sum();
        long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
        assertSame(Devices.backend(CUDA).evaluate(expr, 1), onCpu(expr));
        assertThat(GpuCounter.HALVED.sum()).isGreaterThan(halved);
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(onCpu);
    }

    static List<String> texts() {
        return List.of(
                "(x - row) * column",
                "sum(x * row, 1)",
                "sum(x * row, 0)",
                "mean(x)",
                "x.t() + column.t()",
                "cumsum(x * 2, 1)");
    }

    @SomeOf(value = "texts", oneIn = 3)
    @Tag("full")
    void memoryMayEndForGoodAtAnyAllocation(String text) {
        Expr expr = expression(text, x().narrow(0, 0, 60)); // 240 KB
        Tensor expected = onCpu(expr);
        boolean raised = true;
        for (int allocation = 1; raised; allocation++) {
            Gpus.gpu(CUDA).arena().freeKept();
            driver.failCalls("cuMemAlloc", allocation, Long.MAX_VALUE, FakeDriver.OUT_OF_MEMORY);
            long hostBytes = Memory.allocatedBytes();
            long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
            Tensor result = new HostEvaluation(Gpus.gpu(CUDA), 1, 150_000).evaluate(expr);
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            assertSame(result, expected);
            result.release();
            assertThat(Memory.allocatedBytes()).isLessThanOrEqualTo(hostBytes + 1024); // the comparison's result
            if (allocation == 1) {
                assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isGreaterThan(onCpu);
            }
            assertThat(Gpus.usedBytes()).isZero();
        }
    }
}
