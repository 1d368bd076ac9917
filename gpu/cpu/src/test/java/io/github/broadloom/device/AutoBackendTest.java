package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which device computes an expression sooner, by figures of machines that need not be here. */
class AutoBackendTest {
    /** 16 cores, about 120 GB/s. */
    private static final Backend CPU =
            new DryRunDevice(Device.CPU, new Speeds(120e9, Double.POSITIVE_INFINITY, 50e9, 20e-6));
    /** Pageable memory arrives at 10 GB/s. */
    private static final Backend GPU = new DryRunDevice(Device.of("cuda:0"), new Speeds(4300e9, 10e9, 30e12, 10e-6));

    private static final AutoBackend AUTO = new AutoBackend(CPU, () -> Optional.of(GPU), () -> "");

    /** A gigabyte that nobody reads. */
    private static Expr input(String device) {
        Shape shape = Shape.of(1 << 28);
        Storage storage = Storage.onDevice(Device.of(device), 4096, shape.numel() * 4, () -> {});
        Tensor tensor = Tensor.of(DType.FLOAT32, Layout.contiguous(shape), storage);
        return device.equals("cpu") ? Input.of(tensor, DType.FLOAT32, shape) : Input.of(tensor);
    }

    private static Device chosen(String expression, String device) {
        return AUTO.choose(ExprParser.parse(expression, Map.of("x", input(device))))
                .backend()
                .device();
    }

    @Test
    void oneCheapPassOverHostMemoryStaysOnTheCpu() {
        assertThat(chosen("x * 2 + 1", "cpu")).isEqualTo(Device.CPU);
        assertThat(chosen("sum(x)", "cpu")).isEqualTo(Device.CPU);
    }

    @Test
    void muchArithmeticIsWorthTheWay() {
        assertThat(chosen(
                        "exp(sin(x)) + log1p(exp(cos(x))) * tanh(x) + erf(x) * exp(x * x) + sinh(x) / cosh(x + 1)",
                        "cpu"))
                .isEqualTo(Device.of("cuda:0"));
    }

    @Test
    void theReasonHasTheFigures() {
        Expr expr = ExprParser.parse("x * 2", Map.of("x", input("cpu")));
        // 1.07 GB at 10 GB/s; 2.15 GB at 120 GB/s
        assertThat(AUTO.explain(expr, Backend.Detail.PLAN))
                .startsWith(
                        "auto: cpu, because 1073.7 MB there and 1073.7 MB back take about 107 ms on cuda:0, and 17.9 ms here");
    }

    @Test
    void withoutAGpuTheCpuComputesAndTheReasonIsKept() {
        Tensor x = Tensors.of(1.0, 2.0);
        AutoBackend alone = new AutoBackend(CPU, Optional::empty, () -> "no NVIDIA driver on this machine");
        assertThat(alone.choose(Input.of(x)))
                .isEqualTo(new AutoBackend.Choice(CPU, "no NVIDIA driver on this machine"));
        assertThat(LazyTensor.of(x).mul(2).compute(Device.of("auto")).toDoubleArray())
                .containsExactly(2, 4);
        assertThat(LazyTensor.of(x).mul(2).explain(Device.AUTO, Backend.Detail.PLAN))
                .contains("auto: cpu, because ");
    }

    /** Over tensors of this JVM; what is lost with the device cannot be computed again. */
    @Test
    void theCpuComputesWhatADeviceFailsThatGoesOutOfService() {
        Backend cpu = Devices.backend(Device.CPU);
        AtomicBoolean inService = new AtomicBoolean(true);
        Backend breaks = new DryRunDevice(Device.of("cuda:0"), new Speeds(1e30, 1e30, 1e30, 0)) {
            @Override
            public Tensor evaluate(Expr expr, int threads) {
                inService.set(false);
                throw new IllegalStateException("an illegal address");
            }
        };
        AutoBackend auto =
                new AutoBackend(cpu, () -> inService.get() ? Optional.of(breaks) : Optional.empty(), () -> "");
        Expr twice = ExprParser.parse("x * 2", Map.of("x", Input.of(Tensors.of(1.0, 2.0))));
        assertThat(auto.choose(twice).backend()).isSameAs(breaks);
        assertThat(auto.evaluate(twice).toDoubleArray()).containsExactly(2, 4);
        assertThat(auto.choose(twice).backend()).isSameAs(cpu);

        AutoBackend lasting = new AutoBackend(cpu, () -> Optional.of(breaks), () -> "");
        assertThatThrownBy(() -> lasting.evaluate(twice)).hasMessage("an illegal address");
    }

    @Test
    void theCpusFiguresAreMeasured() {
        Speeds speeds = Devices.backend(Device.CPU).speeds();
        assertThat(speeds.memoryBytes()).isBetween(1e8, 1e13);
        assertThat(speeds.transferBytes()).isInfinite();
    }

    /** Has figures and computes nothing. */
    private static class DryRunDevice implements Backend {
        private final Device device;
        private final Speeds speeds;

        DryRunDevice(Device device, Speeds speeds) {
            this.device = device;
            this.speeds = speeds;
        }

        @Override
        public Device device() {
            return device;
        }

        @Override
        public Speeds speeds() {
            return speeds;
        }

        @Override
        public Tensor evaluate(Expr expr, int threads) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void evaluateInto(Expr expr, Tensor target, int threads) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<FoldNode> partials(Along chunk, long firstRow) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Tensor scan(Along chunk, ScanCarry before) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String explain(Expr expr, Detail detail) {
            return "";
        }

        @Override
        public KernelCache.Stats kernelStats() {
            throw new UnsupportedOperationException();
        }
    }
}
