package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LazyTensorTest {
    private final Tensor x = Tensors.of(1f, 2f, 3f, 4f, 5f, 6f).view(2, 3);
    private final Tensor m = Tensors.of(1f, 2f, 3f);

    @Test
    void anExpressionIsTypedAtOnceAndComputedOnEval() {
        LazyTensor lazy = LazyTensor.of(x).sub(m).mul(2);
        assertThat(lazy.shape()).isEqualTo(x.shape());
        assertThat(lazy.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(lazy.compute().toFloatArray()).containsExactly(0f, 0f, 0f, 6f, 6f, 6f);
    }

    @Test
    void aTextSaysTheSameAsTheMethods() {
        LazyTensor parsed = LazyTensor.eval("where(x > m, (x - m) / 2, -x)", Map.of("x", x, "m", m));
        assertThat(parsed.compute().toFloatArray()).containsExactly(-1f, -2f, -3f, 1.5f, 1.5f, 1.5f);
    }

    @Test
    void anErrorIsRaisedWhereTheExpressionIsBuilt() {
        LazyTensor lazy = LazyTensor.of(x);
        assertThatThrownBy(() -> lazy.add(Tensors.of(1f, 2f)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1");
    }

    @Test
    void aReductionInsideAnExpressionBroadcastsBack() {
        LazyTensor lazy = LazyTensor.of(x);
        LazyTensor centred = lazy.sub(lazy.mean(0));
        assertThat(centred.compute().toFloatArray()).containsExactly(-1.5f, -1.5f, -1.5f, 1.5f, 1.5f, 1.5f);
    }

    @Test
    void aMissingDeviceAnswersWithItsReason() {
        LazyTensor lazy = LazyTensor.of(x).neg();
        assertThat(lazy.compute(Device.of("cpu")).toFloatArray()).startsWith(-1f);
        assertThatThrownBy(() -> lazy.compute(Device.of("cuda")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Cannot use device: cuda; ");
    }

    @Test
    void anExplanationShowsTheTreeAndThePasses() {
        LazyTensor lazy = LazyTensor.of(x);
        LazyTensor scaled = lazy.sub(lazy.mean(0)).exp();
        scaled.compute();
        assertThat(withoutFigures(scaled.explain())).isEqualTo("""
            exp float32[2, 3]
              sub float32[2, 3]
                input float32[2, 3] #1
                mean over [0] float32[3]
                  #1
            on cpu:
              mean(…, dim=[0]) of float32[2, 3]: loops [6]; no kernel
              pointwise float32[2, 3]: loops [2, 3]; kernel tile_# of 4 steps over float32 varying, float32 varying, compiled in # ms
            kernel cache: # of # kernels; hits #, compilations #, together # ms
            """);
        assertThat(scaled.explain(Backend.Detail.SOURCE)).contains("public final class Kernel implements TileKernel {");
    }

    private static String withoutFigures(String explanation) {
        return Pattern.compile("(?<=compiled in )[0-9.]+|(?<=^kernel cache: ).*", Pattern.MULTILINE)
                .matcher(explanation.replaceAll("tile_\\w+", "tile_#"))
                .replaceAll(figures -> figures.group().replaceAll("[0-9]+(\\.[0-9])?", "#"));
    }

    @Test
    void whatHasNoElementsIsExplainedToo() {
        LazyTensor empty = LazyTensor.of(Tensors.zeros(4, 0, 3));
        assertThat(empty.exp().explain()).contains("nothing to compute");
        assertThat(empty.exp().sum(1).add(1).explain())
                .contains("nothing to compute")
                .contains("kernel");
    }

    @Test
    void anExplanationShowsTheKernelThatRuns() {
        Tensor large = Tensors.zeros(1100, 1000);
        LazyTensor shifted = LazyTensor.of(large).sub(LazyTensor.of(Tensors.zeros(1100, 1)));
        shifted.compute();
        assertThat(shifted.explain()).containsPattern("kernel \\w+ of \\d+ steps over .*, compiled in \\d+\\.\\d ms");
        LazyTensor small = LazyTensor.of(large.narrow(0, 0, 100)).sub(LazyTensor.of(Tensors.zeros(100, 1)));
        small.compute();
        assertThat(small.explain()).containsPattern("kernel \\w+ of \\d+ steps over .*, compiled in \\d+\\.\\d ms");
        String source = shifted.explain(Backend.Detail.SOURCE);
        assertThat(source.contains("kernel by_pieces_"))
                .isEqualTo(Simd.haveEights())
                .isEqualTo(source.contains("implements DirectKernel"));
    }

    @Test
    void aKernelThatWasNeverRunIsNotCompiledByItsExplanation() {
        LazyTensor rare = LazyTensor.of(x).mul(0.123456789).add(987.654321);
        assertThat(rare.explain()).contains("compiled when first run");
        assertThat(rare.explain()).contains("compiled when first run");
        rare.compute();
        assertThat(rare.explain()).containsPattern("kernel \\w+ of \\d+ steps over .*, compiled in \\d+\\.\\d ms");
    }

    @Test
    void closenessTakesATensorOrAHandle() {
        Tensor near = Tensors.of(1.000001f, 2.1f, Float.NaN);
        boolean[] close = {true, false, false};
        assertThat(LazyTensor.of(m).isclose(near).compute().toBooleanArray()).isEqualTo(close);
        assertThat(LazyTensor.of(m).isclose(LazyTensor.of(near)).compute().toBooleanArray())
                .isEqualTo(close);
    }

    @Test
    void printingComputesNothing() {
        assertThat(LazyTensor.of(x).div(0)).hasToString("LazyTensor(shape=[2, 3], dtype=float32)");
    }
}
