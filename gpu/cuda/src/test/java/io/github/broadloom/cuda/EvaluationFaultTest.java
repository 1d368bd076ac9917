package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.cuda.driver.SharedOperands;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.nearest.NearestRows;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every call of the driver fails once, in turn, while whole expressions are computed: the result is right or the error is clear, and nothing is left behind. */
@WithFakeGpu
class EvaluationFaultTest {
    private static final Device CUDA = Device.of("cuda:0");
    private static final int CALLS_AT_MOST = 500;
    /** Pieces that are copied through pinned memory. */
    private static final long PIECE_BYTES = 150_000;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
    }

    @AfterEach
    void close() {
        FakeGpus.closeAll();
    }

    /** Where the operands are, and how they are computed. */
    private enum Way {
        /** On the host, in pieces if their rows can be. */
        HERE {
            @Override
            Tensor compute(String text, Map<String, Tensor> operands) {
                Expr expr = LazyTensor.eval(text, operands).expr();
                return new HostEvaluation(Gpus.gpu(CUDA), 1, PIECE_BYTES).evaluate(expr);
            }
        },
        /** On the device, where the result is, too. */
        THERE {
            @Override
            Tensor compute(String text, Map<String, Tensor> operands) {
                List<Tensor> there = new ArrayList<>();
                Function<Tensor, Tensor> onDevice = tensor -> {
                    Tensor moved = tensor.to(CUDA);
                    there.add(moved);
                    return moved;
                };
                try {
                    Tensor x = onDevice.apply(operands.get("x"));
                    Tensor row = onDevice.apply(operands.get("row"));
                    Tensor result =
                            LazyTensor.eval(text, Map.of("x", x, "row", row)).compute();
                    there.add(result);
                    return result.to(Device.CPU);
                } finally {
                    there.forEach(Tensor::release);
                }
            }
        };

        abstract Tensor compute(String text, Map<String, Tensor> operands);
    }

    @ParameterizedTest
    @CsvSource({
        "HERE, (x - row) * 3, FLOAT32",
        "HERE, x // row, INT32",
        "HERE, 'sum(x * row, 0)', FLOAT32",
        "HERE, 'sum(x - x.mean(0), 1)', FLOAT32",
        "HERE, 'median(x, 0) + cumsum(x, 0)', FLOAT32",
        "THERE, (x - row) * 3, FLOAT32",
        "THERE, 'sum(x - x.mean(0), 1)', FLOAT32",
        "THERE, 'cat([x, median(x, 0, keepdim=True), cumsum(x, 0)], 0)', FLOAT32",
    })
    @Tag("full")
    void anyCallMayFail(Way way, String text, DType dtype) {
        Tensor x = Tensors.arange(1, 50_001, 1).to(dtype).view(100, 500);
        anyCallMayFail(way, text, Map.of("x", x, "row", x.select(0, 3)));
    }

    @Test
    void anyCallMayFailWhereAnOperandStaysOnTheDevice() {
        Tensor x = Tensors.arange(1, 100_001, 1).to(DType.FLOAT32).view(5, 20_000);
        assertThat(SharedOperands.LEAST_KEPT_BYTES).isLessThan(80_000);
        anyCallMayFail(Way.HERE, "(x - row) * 3", Map.of("x", x, "row", x.select(0, 3)));
    }

    /** Of one row the candidates are enough; of the other, which is far away, the products come back. */
    @Tag("full")
    @Test
    void anyCallMayFailWhileNearestRowsAreSearched() {
        Random random = new Random(5);
        Tensor b = Tensors.copyOf(random.doubles(14_000).toArray(), 3500, 4);
        double[] rows = random.doubles(8).toArray();
        Arrays.setAll(rows, i -> i < 4 ? rows[i] : 1e6 * rows[i]);
        Tensor a = Tensors.copyOf(rows, 2, 4);
        byte[] expected = nearest(a, b, Device.CPU);
        Runnable work = () -> assertThat(nearest(a, b, CUDA)).isEqualTo(expected);
        work.run();
        everyCall(Way.HERE, FakeDriver.OPERATING_SYSTEM, true, work);
        everyCall(Way.HERE, FakeDriver.OUT_OF_MEMORY, false, work);
    }

    private static byte[] nearest(Tensor a, Tensor b, Device device) {
        ValuesAndIndices<Tensor> found = NearestRows.of(a, b, 3, VectorMetric.EUCLIDEAN, device, 1);
        byte[] indices = bytes(found.indices());
        found.values().release();
        found.indices().release();
        return indices;
    }

    private void anyCallMayFail(Way way, String text, Map<String, Tensor> operands) {
        Expr expr = LazyTensor.eval(text, operands).expr();
        byte[] expected = bytes(Devices.backend(Device.CPU).evaluate(expr, 1));
        compute(way, text, operands, expected); // which compiles and loads the kernels
        Runnable work = () -> compute(way, text, operands, expected);
        everyCall(way, FakeDriver.OPERATING_SYSTEM, false, work);
        everyCall(way, FakeDriver.OPERATING_SYSTEM, true, work);
        everyCall(way, FakeDriver.OUT_OF_MEMORY, false, work);
    }

    /** After any of the calls the device may be lost: that is told, and nothing holds its memory. */
    @ParameterizedTest
    @CsvSource({
        "HERE, (x - row) * 3, false",
        "HERE, 'sum(x - x.mean(0), 1)', true",
        "THERE, 'cat([x, median(x, 0, keepdim=True), cumsum(x, 0)], 0)', false",
        "THERE, 'sum(x * row, 0)', true",
    })
    void anyCallMayBeTheLast(Way way, String text, boolean deferred) {
        Tensor x = Tensors.arange(1, 50_001, 1).to(DType.FLOAT32).view(100, 500);
        Map<String, Tensor> operands = Map.of("x", x, "row", x.select(0, 3));
        byte[] expected = bytes(LazyTensor.eval(text, operands).compute());
        boolean raised = true;
        for (int call = 1; raised; call++) {
            assertThat(call).isLessThan(CALLS_AT_MOST);
            compute(way, text, operands, expected);
            long hostBytes = Memory.allocatedBytes();
            driver.reset();
            if (deferred) {
                driver.deferWork();
            }
            driver.failForGood("", call, FakeDriver.ILLEGAL_ADDRESS);
            RuntimeException failure = null;
            try {
                compute(way, text, operands, expected);
            } catch (CudaException | IllegalStateException e) {
                failure = e;
                assertThat(e).hasMessageStartingWith("Cannot ").hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
            }
            raised = driver.faultsRaised() > 0;
            assertThat(Devices.isAvailable(CUDA)).as("after call " + call).isEqualTo(failure == null);
            assertThat(Memory.allocatedBytes()).as("after call " + call).isLessThanOrEqualTo(hostBytes);
            driver.failNothing();
            FakeGpus.closeAll(); // which fails where device memory is held
        }
    }

    private static void compute(Way way, String text, Map<String, Tensor> operands, byte[] expected) {
        Tensor result = way.compute(text, operands);
        assertThat(Arrays.equals(bytes(result), expected))
                .as("the bits of the CPU")
                .isTrue();
        result.release();
    }

    private static byte[] bytes(Tensor tensor) {
        byte[] bytes = new byte[(int) tensor.dtype().sizeBytes(tensor.numel())];
        RawMemory.copy(tensor.address(), bytes, 0, bytes.length);
        Reference.reachabilityFence(tensor);
        return bytes;
    }

    private void everyCall(Way way, int error, boolean deferred, Runnable work) {
        boolean raised = true;
        int failures = 0;
        for (int call = 1; raised; call++) {
            assertThat(call).isLessThan(CALLS_AT_MOST);
            long hostBytes = Memory.allocatedBytes();
            Gpus.dropCopies();
            Gpus.gpu(CUDA).arena().freeKept();
            driver.reset();
            if (deferred) {
                driver.deferWork();
            }
            driver.failCall(call, error);
            try {
                work.run();
            } catch (CudaException e) {
                failures++;
                assertThat(e.status()).isEqualTo(error);
                assertThat(e).hasMessageStartingWith("Cannot ").hasMessageContaining(" on cuda:0: cu");
            }
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            assertThat(driver.violations()).as(driver.message()).isZero();
            Gpus.dropCopies();
            assertThat(Gpus.usedBytes()).as("after call " + call).isZero();
            assertThat(Memory.allocatedBytes()).as("after call " + call).isLessThanOrEqualTo(hostBytes);
            work.run(); // and the device can still be used
        }
        if (error == FakeDriver.OPERATING_SYSTEM) {
            assertThat(failures).isPositive();
        } else if (way == Way.HERE) {
            assertThat(failures).as("the CPU computes what finds no memory").isZero();
        }
    }
}
