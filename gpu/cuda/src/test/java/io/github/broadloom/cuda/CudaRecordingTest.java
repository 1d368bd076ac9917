package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomExprs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded in a dry run is what runs: the same kernels, in the same order. */
@WithFakeGpu
class CudaRecordingTest {
    private static final Device CUDA = Device.of("cuda");

    /** Operands on a device, and views of them. */
    private static Map<String, Tensor> tensors(Device device) {
        Map<String, Tensor> tensors = new HashMap<>();
        Tensor x = Tensors.arange(37 * 54).view(37, 54).to(DType.FLOAT32).to(device);
        tensors.put("x", x);
        tensors.put("row", x.select(0, 3));
        tensors.put("column", x.narrow(1, 5, 1));
        tensors.put("t", x.t());
        tensors.put("e", x.narrow(0, 7, 1).expand(37, 54));
        tensors.put("odd", x.narrow(1, 1, 53));
        tensors.put("h", Tensors.ones(37, 54).to(DType.FLOAT16).to(device));
        tensors.put("u", Tensors.ones(37, 54).to(DType.UINT8).to(device));
        tensors.put("i", Tensors.ones(37, 54).to(DType.INT32).to(device));
        tensors.put("s", Tensors.scalar(2.5, DType.FLOAT32).to(device));
        tensors.put("images", Tensors.ones(5, 3, 7, 8).to(device));
        tensors.put("mean", Tensors.ones(3, 1, 1).to(device));
        tensors.put("pixels", Tensors.ones(6, 10, 3).to(DType.UINT8).to(device));
        tensors.put("channels", Tensors.ones(3).to(device));
        tensors.put("a", Tensors.ones(40, 1, 16).to(device));
        tensors.put("b", Tensors.ones(1, 33, 16).to(device));
        tensors.put("mask", Tensors.ones(37, 1).to(DType.BOOL).to(device));
        return tensors;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "(images - mean) * mean",
                "where(x > row, tanh((x - row) * s) + exp(-x * x), 0.1 * x)",
                "(images - mean(images, dim=(0, 2, 3), keepdim=True)) / std(images, dim=(0, 2, 3), keepdim=True)",
                "sum((a - b) ** 2, dim=-1)",
                "amax(column * row + column, dim=1)",
                "(float32(pixels) / 255 - channels) / channels",
                "x + t.T + row",
                "t * 2 + e.T",
                "a - b",
                "where(mask, h * s, h - column)",
                "(((x + 1) * 2 - 3) / 4 + 5) * 6 - 7",
                "odd + 1",
                "sum(odd, 1) + sum(odd * odd, 1)",
                "u[:, ::2] + u[:, 1::2]",
                "i // 7 + i % 5",
                "x.t().reshape(54, 37) * 2",
                "(x * 2).t().reshape(27, 74) + 1",
                "sum(x, 1).reshape(37, 1).t()",
                "cat([x, x * 2, i], 0)",
                "cat([x, sum(x, 1, keepdim=True), e], 1)",
                "sum(x, 1)",
                "sum(x * row, 0)",
                "mean(x)",
                "amax(x - column, 1, keepdim=True) - x",
                "argmin(abs(x), 1)",
                "argmax(t)",
                "std(x, 0) + var(x)",
                "prod(i > 0, 1)",
                "cumsum(x, 0) + row",
                "median(x, 0) + row",
                "cumsum(t * 2, 1).t() - x",
                "x @ t + 1",
                "flip(x, 1) + x",
                "flip(x * 2, 0)",
                "cat([flip(x, 0), cumsum(x, 1)], 1)",
                "x[:0] * 2 + row",
            })
    void theKernelsOfAnExpressionAreThoseThatRun(String text) {
        for (Device device : List.of(Device.CPU, CUDA)) {
            List<CudaSource> recorded = new ArrayList<>();
            List<CudaSource> dryRun = new ArrayList<>();
            Collection<CudaSource> ran = Rehearsal.kernels(() -> {
                Map<String, Tensor> tensors = tensors(device);
                Expr expr = parsed(text, tensors, UnaryOperator.identity());
                evaluate(expr);
                recorded.addAll(CudaRecording.of(expr).sources());
                dryRun.addAll(CudaRecording.of(parsed(text, tensors, withoutElements()))
                        .sources());
                tensors.values().forEach(Tensor::release);
            });
            assertThat(recorded).as(text + " on " + device).containsExactlyElementsOf(ran);
            assertThat(dryRun).as(text + " on " + device).hasSameSizeAs(ran);
            if (device.isCpu()) { // where a tensor of a device begins, a dry run does not know
                assertThat(dryRun).containsExactlyElementsOf(ran);
            }
        }
    }

    /** Makes of each tensor one without elements; views of one storage stay that. */
    private static UnaryOperator<Tensor> withoutElements() {
        Map<Storage, Storage> known = new IdentityHashMap<>();
        return tensor -> Tensor.of(
                tensor.dtype(),
                tensor.layout(),
                known.computeIfAbsent(tensor.storage(), CudaRecordingTest::withoutElements));
    }

    private static Storage withoutElements(Storage storage) {
        Layout bytes = Layout.contiguous(Shape.of(storage.sizeBytes()));
        return (storage.device().isCpu()
                        ? CudaRecording.here(DType.UINT8, bytes)
                        : CudaRecording.onDevice(DType.UINT8, bytes))
                .storage();
    }

    private static void evaluate(Expr expr) {
        Devices.backend(CUDA).evaluate(expr).release();
    }

    private static Expr parsed(String text, Map<String, Tensor> tensors, UnaryOperator<Tensor> place) {
        Map<String, Expr> names = new HashMap<>();
        tensors.forEach((name, tensor) -> names.put(name, Input.of(place.apply(tensor))));
        return ExprParser.parse(text, names);
    }

    @Test
    void theKernelsOfAnyExpressionAreThoseThatRun() {
        for (long seed = 0; seed < 120; seed++) {
            Expr expr = seed % 2 == 0
                    ? new RandomExprs(seed).next()
                    : RandomExprs.reveal(RandomExprs.rearranging(seed).next(), Input::of);
            CudaRecording recording = CudaRecording.of(expr);
            List<CudaSource> ran = List.copyOf(Rehearsal.kernels(() -> evaluate(expr)));
            assertThat(recording.sources().equals(ran))
                    .as(() -> expr + ": recorded " + recording.describe(Detail.SOURCE) + " and ran " + ran)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x * 2 + row", "sum(x, 1)", "x - amax(x, 1, keepdim=True)"})
    void ofWhatGoesInPiecesTheFirstAndTheLastStandForAll(String text) {
        Layout large =
                Layout.contiguous(Shape.of(1031, 33_001)); // 136 MB: two pieces of 508 or 254 rows, and what is left
        Map<String, Tensor> tensors = Map.of(
                "x", Tensors.empty(DType.FLOAT32, large.shape()),
                "row", Tensors.ones(33_001));
        Expr expr = parsed(text, tensors, UnaryOperator.identity());
        CudaRecording recording = CudaRecording.of(expr);
        assertThat(recording.sources()).containsExactlyInAnyOrderElementsOf(Rehearsal.kernels(() -> evaluate(expr)));
        assertThat(recording.describe(Detail.PLAN)).contains("pieces of ", "the last piece, of ");
        tensors.values().forEach(Tensor::release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x * 2 + 1", "sum(x, 1)"})
    void aKernelIsWrittenOnce(String text) {
        CudaSource kernel = onlyKernel(text, Shape.of(48, 64));
        assertThat(onlyKernel(text, Shape.of(48, 64))).isSameAs(kernel);
        assertThat(onlyKernel(text, Shape.of(49, 64))).isSameAs(kernel);
        assertThat(onlyKernel(text.replace("x", "(x + x)"), Shape.of(48, 64))).isNotEqualTo(kernel);
    }

    private static CudaSource onlyKernel(String text, Shape shape) {
        Expr x = Input.of(CudaRecording.here(DType.FLOAT32, Layout.contiguous(shape)));
        List<CudaSource> sources =
                CudaRecording.of(ExprParser.parse(text, Map.of("x", x))).sources();
        assertThat(sources).hasSize(1);
        return sources.get(0);
    }

    @Test
    void whatTheCpuComputesIsSaid() {
        Map<String, Tensor> tensors = tensors(Device.CPU);
        assertThat(CudaRecording.of(parsed("median(x * 2, 0) + 1", tensors, withoutElements()))
                        .describe(Detail.PLAN))
                .isEqualTo("""
                    pointwise float32[37, 54]: loops [1998]; operands float32; kernel mul_contiguous, 1 × 256 threads
                    median(…, dim=[0]) of float32[54]: no CUDA kernel, so on the CPU
                    pointwise float32[54]: loops [54]; operands float32; kernel add_contiguous, 1 × 256 threads
                    """);
    }
}
