package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.CudaCompileException;
import io.github.broadloom.cuda.compiler.NoCudaCompilerException;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.lazy.InPlace;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs a kernel that is not to be had is computed by the CPU, to the same bits, and said. */
@WithFakeGpu
class MissingKernelsTest {
    private static final Device CUDA = Device.of("cuda:0");
    /** CUDA's number for machine code that the device does not take. */
    private static final int UNSUPPORTED = 209;

    private static final String COMPLAINT =
            "Cannot compile kernel \\w+ for sm_90: NVRTC 12.9 says ptxas error : Entry uses too much shared data";

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
        Gpus.resolve(CUDA); // which starts the driver
    }

    @AfterEach
    void close() {
        FakeGpus.closeAll();
    }

    private static void open(BiFunction<CudaSource, String, byte[]> images) {
        Gpus.open(0, images);
    }

    private static byte[] refuse(CudaSource source, String architecture) {
        throw new CudaCompileException(
                source,
                architecture,
                "NVRTC 12.9",
                "NVRTC_ERROR_COMPILATION\nptxas info : 0 bytes gmem\nptxas error : Entry uses too much shared data\n");
    }

    private static byte[] miss(CudaSource source, String architecture) {
        throw new NoCudaCompilerException("Cannot compile kernel " + source.entry() + ": NVRTC is not here", null);
    }

    private static Tensor x() {
        return Tensors.arange(12_000).to(DType.FLOAT32).view(40, 300);
    }

    private static long onCpu() {
        return GpuCounter.ON_CPU_FOR_KERNELS.sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x * 2 + row", "sum(x * row, 0)", "x - x.mean(1, keepdim=True)", "cumsum(x.t(), 1) + 1"})
    void tensorsOfThisJvm(String expression) {
        open(MissingKernelsTest::refuse);
        LazyTensor lazy = LazyTensor.eval(expression, Map.of("x", x(), "row", x().select(0, 3)));
        long before = onCpu();
        assertThat(lazy.compute(CUDA).toFloatArray()).isEqualTo(lazy.compute().toFloatArray());
        assertThat(onCpu()).isEqualTo(before + 1);
        assertThat(lazy.explain(CUDA, Backend.Detail.PLAN)).containsPattern("on the CPU: " + COMPLAINT + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x * 2 + row", "sum(x * row, 0)", "x.t() @ x", "cat([x, median(x, 0, keepdim=True)], 0)"})
    void tensorsOfTheDeviceAndTheirViews(String expression) {
        open(MissingKernelsTest::refuse);
        Tensor there = x().to(CUDA);
        Map<String, Tensor> views = Map.of("x", there.t(), "row", there.select(1, 3));
        Tensor result = LazyTensor.eval(expression, views).compute();
        assertThat(result.device()).isEqualTo(CUDA);
        Map<String, Tensor> here = Map.of("x", x().t(), "row", x().select(1, 3));
        assertThat(result.toFloatArray())
                .isEqualTo(LazyTensor.eval(expression, here).compute().toFloatArray());
    }

    @Test
    void whatIsWrittenInPlaceIsSeenThroughEveryView() {
        open(MissingKernelsTest::refuse);
        Tensor there = x().to(CUDA);
        Tensor here = x();
        InPlace.add_(InPlace.mul_(there.t().narrow(0, 5, 100), 3), there.select(1, 0));
        InPlace.add_(InPlace.mul_(here.t().narrow(0, 5, 100), 3), here.select(1, 0));
        there.select(0, 2).copy_(there.select(0, 1));
        here.select(0, 2).copy_(here.select(0, 1));
        assertThat(there.toFloatArray()).isEqualTo(here.toFloatArray());
        assertThat(there.t().to(DType.INT64).toLongArray())
                .isEqualTo(here.t().to(DType.INT64).toLongArray());
    }

    @Test
    void aChunkOfAReduction() {
        open(MissingKernelsTest::refuse);
        Reduce sum = (Reduce) ExprParser.parse("sum(x * 3, 0)", Map.of("x", Input.of(x())));
        assertThat(Devices.backend(CUDA).partials(sum, 64))
                .usingRecursiveComparison()
                .isEqualTo(Devices.backend(Device.CPU).partials(sum, 64));
    }

    /** Machine code that is not for this device, a driver too old for it, a kernel with too many registers. */
    @ParameterizedTest
    @CsvSource({"cuModuleLoadData, 209", "cuModuleLoadData, 222", "cuLaunchKernel, 701"})
    void whatTheDriverRefuses(String call, int error) {
        open(new HostCompiler()::compile);
        driver.failCall(call, 1, error);
        LazyTensor lazy = LazyTensor.of(x()).mul(2).add(error);
        assertThat(lazy.compute(CUDA).toFloatArray()).isEqualTo(lazy.compute().toFloatArray());
        assertThat(driver.faultsRaised()).isOne();
        assertThat(lazy.explain(CUDA, Backend.Detail.PLAN))
                .contains("on the CPU: Cannot load kernel ")
                .contains(call + ": CUDA_ERROR_");
        assertThat(Devices.isAvailable(CUDA)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuModuleLoadData", "cuLaunchKernel"})
    void whatTheDriverRefusedIsNotTriedAgainAndOtherKernelsRun(String call) {
        open(new HostCompiler()::compile);
        driver.failCall(call, 1, UNSUPPORTED);
        LazyTensor refused = LazyTensor.of(x()).mul(3).add(1);
        refused.compute(CUDA);
        long tried = driver.calls(call);
        long before = onCpu();
        assertThat(refused.compute(CUDA).toFloatArray())
                .isEqualTo(refused.compute().toFloatArray());
        assertThat(driver.calls(call)).isEqualTo(tried);
        assertThat(onCpu()).isEqualTo(before + 1);
        assertThat(refused.explain(CUDA, Backend.Detail.PLAN)).contains("on the CPU: Cannot load kernel ");
        LazyTensor.of(x()).sub(1).compute(CUDA);
        assertThat(driver.calls(call)).isEqualTo(tried + 1);
        assertThat(onCpu()).isEqualTo(before + 1);
    }

    @Test
    void theLogSaysEveryReasonOnceInASentence() {
        open((source, architecture) -> {
            throw new CudaCompileException(source, "sm_90", "A compiler", "error: too many registers");
        });
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            for (int i = 0; i < 3; i++) {
                LazyTensor.of(x()).mul(2).compute(CUDA);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .matches(".*Cannot compile kernel \\w+ for sm_90: A compiler says error: too many registers; the CPU"
                        + " computes in its stead");
    }

    @Test
    void aCompilerThatIsMissing() {
        open(MissingKernelsTest::miss);
        LazyTensor lazy = LazyTensor.of(x().to(CUDA)).mul(2);
        assertThat(lazy.compute().toFloatArray())
                .isEqualTo(LazyTensor.of(x()).mul(2).compute().toFloatArray());
        assertThat(lazy.explain()).containsPattern("on the CPU: Cannot compile kernel \\w+: NVRTC is not here\n");
    }
}
