package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.InPlace;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions on a GPU have the bits that they have on the CPU, wherever their tensors are. */
@WithFakeGpu
class CudaBackendTest {
    private static final Device CUDA = Device.of("cuda");

    private static Map<String, Tensor> tensors() {
        Tensor x = LazyTensor.of(Tensors.arange(37 * 53).view(37, 53))
                .mul(0.37)
                .sin()
                .compute();
        return Map.of(
                "x", x,
                "row", x.select(0, 3),
                "column", x.narrow(1, 5, 1),
                "t", x.t(),
                "h", x.to(DType.FLOAT16),
                "i", LazyTensor.of(x).mul(100).to(DType.INT32).compute(),
                "s", Tensors.scalar(2.5, DType.FLOAT32));
    }

    private static Map<String, Tensor> onDevice(Map<String, Tensor> tensors) {
        Map<String, Tensor> there = new HashMap<>();
        tensors.forEach((name, tensor) -> there.put(name, tensor.to(CUDA)));
        return there;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t",
                "x * row + column",
                "where(x > row, x - column, i)",
                "t + column.t()",
                "(h * 3 - row) / s",
                "i // 7 + i % 5",
                "x.t().reshape(53, 37) * 2",
                "cat([x, x * 2, i], 0)",
                "sum(x, 1)",
                "sum(x * row, 0)",
                "mean(x)",
                "amax(x - column, 1, keepdim=True) - x",
                "argmin(abs(x), 1)",
                "std(x, 0) + var(x)",
                "sum((x.unsqueeze(1) - x[:5]) ** 2, -1)",
                "cumsum(x, 0) + row",
                "median(x, 0) + row",
                "x @ t",
                "flip(x, 1) + x",
                "flip(t * 2, 0).reshape(37, 53)",
                "cat([flip(x, 0), cumsum(x, 1), t.t()], 1)",
                "cumsum(x.t().reshape(37, 53), 1)",
                "(x + 1).t().reshape(37, 53) * 2",
                "prod(i > 0, 1)"
            })
    void theBitsAreThoseOfTheCpu(String expression) {
        Map<String, Tensor> here = tensors();
        LazyTensor parsed = LazyTensor.eval(expression, here);
        Tensor expected = parsed.compute();

        assertThat(parsed.compute(CUDA)).satisfies(result -> assertSame(result, expected));

        for (LazyTensor there : List.of(LazyTensor.eval(expression, onDevice(here)), parsed.to(CUDA))) {
            Tensor result = there.compute();
            assertThat(result.device()).isEqualTo(Device.of("cuda:0"));
            assertSame(result.to(Device.CPU), expected);
            assertThat(there.explain()).contains("on cuda:0");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "where(x > @, x * @, @)",
                "x - @ + (x / @)",
                "(h + @) * @",
                "sum((x - @) * @, 1)",
                "sum((x.unsqueeze(1) - row[:5].unsqueeze(1) * @) ** 2, 0)",
                "cumsum(x * @, 0)"
            })
    void aSweepOf500NumbersCompilesOnce(String expression) {
        Map<String, Tensor> there = onDevice(tensors());
        FakeDriver driver = FakeDriver.load();
        sweep(expression, there, 3.25).release();
        long compiled = Cubins.shared().stats().compilations();
        long loaded = driver.calls("cuModuleLoadData");
        for (int i = 1; i < 500; i++) {
            sweep(expression, there, 3.25 + i).release();
        }
        assertThat(Cubins.shared().stats().compilations()).isEqualTo(compiled);
        assertThat(driver.calls("cuModuleLoadData")).isEqualTo(loaded);
        Tensor expected = sweep(expression, tensors(), 77.5);
        assertSame(sweep(expression, there, 77.5).to(Device.CPU), expected);
    }

    private static Tensor sweep(String expression, Map<String, Tensor> tensors, double number) {
        return LazyTensor.eval(expression.replace("@", Double.toString(number)), tensors)
                .compute();
    }

    private static void assertSame(Tensor actual, Tensor expected) {
        assertThat(actual.dtype()).isEqualTo(expected.dtype());
        assertThat(actual.shape()).isEqualTo(expected.shape());
        assertThat(actual.device()).isEqualTo(Device.CPU);
        assertThat(actual.values()).isEqualTo(expected.values());
    }

    @Test
    void viewsOfATensorOnTheDeviceShareItsMemory() {
        Tensor x = Tensors.arange(12).view(3, 4).to(CUDA);
        InPlace.add_(x.t().select(0, 1), 100);
        assertThat(x.toLongArray()).containsExactly(0, 101, 2, 3, 4, 105, 6, 7, 8, 109, 10, 11);
        assertThat(x.select(0, 1).storage()).isSameAs(x.storage());
        assertThat(x.get(2, 1)).isEqualTo(109L);
        x.set(7, 0, 0);
        assertThat(x.get(0, 0)).isEqualTo(7L);
    }

    @Test
    void aTensorOnTheDevicePrintsAsPyTorchPrintsIt() {
        assertThat(Tensors.of(1.0f, 2.5f).to(CUDA)).hasToString("tensor([1.0000, 2.5000], device='cuda:0')");
        assertThat(Tensors.of(1.0, 2.5).to(CUDA).to(DType.FLOAT64))
                .hasToString("tensor([1.0000, 2.5000], device='cuda:0', dtype=float64)");
    }

    @Test
    void copiesAndFillsStayOnTheDevice() {
        Tensor x = Tensors.arange(6).view(2, 3).to(CUDA);
        assertThat(x.t().contiguous().toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(x.repeat(1, 2).device()).isEqualTo(Device.of("cuda:0"));
        assertThat(x.to(DType.FLOAT16).fill_(3).toFloatArray()).containsOnly(3f);
        assertThat(x.copy_(Tensors.of(7L, 8L, 9L)).toLongArray()).containsExactly(7, 8, 9, 7, 8, 9);
        assertThat(x.flip(1).toLongArray()).containsExactly(9, 8, 7, 9, 8, 7);
    }

    /** What is moved within a tensor, or computed of many of its elements, is read before it is written over; a smaller value is repeated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x.t()",
                "flip(x, 0)",
                "flip(x, 1)",
                "cat([x[1:], x[:1]], 0)",
                "cat([x, x[:0]], 0).flip(0)",
                "x.flip(0) + x",
                "cumsum(x.t(), 1)",
                "x @ x",
                "sum(x, 0)",
                "sum(x, 1, keepdim=True)",
                "flip(x[1], 0)",
                "cat([x[0, :50], x[1, 50:]], 0)",
                "cumsum(x[2], 0)",
                "x @ x[3]"
            })
    void aTensorIsWrittenOverWithWhatIsComputedOfIt(String expression) {
        Tensor here =
                LazyTensor.of(Tensors.arange(10_000)).remainder(97).compute().view(100, 100);
        for (boolean turned : new boolean[] {false, true}) {
            Tensor there = turned ? here.t().contiguous().to(CUDA).t() : here.to(CUDA);
            Tensor expected =
                    LazyTensor.eval(expression, Map.of("x", here)).compute().expand(100, 100);
            LazyTensor.of(there).copy_(LazyTensor.eval(expression, Map.of("x", there)));
            assertThat(there.toLongArray()).isEqualTo(expected.toLongArray());
        }
    }

    @Test
    void integersDividedByZeroAreAnError() {
        Tensor x = Tensors.arange(5).to(CUDA);
        LazyTensor quotient = LazyTensor.eval("6 // x", Map.of("x", x));
        assertThatThrownBy(quotient::compute)
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("ZeroDivisionError");
        assertThat(LazyTensor.eval("6 // (x + 1)", Map.of("x", x)).compute().toLongArray())
                .containsExactly(6, 3, 2, 1, 1);
    }

    @Test
    void mixturesAreRefusedInPyTorchsWords() {
        Tensor x = Tensors.ones(3);
        assertThatThrownBy(() -> LazyTensor.of(x.to(CUDA)).add(x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and"
                        + " cpu!");
    }

    @Test
    void theSourceOfTheKernelsIsShown() {
        LazyTensor sum = LazyTensor.of(Tensors.ones(8, 4)).mul(2).sum(1);
        assertThat(sum.explain(CUDA, Backend.Detail.SOURCE)).contains("extern \"C\" __global__ void");
    }

    /** Where sine and angle are rounded to few bits each, their quotient is not 1. */
    @Test
    void sincOfTheSmallestNumbersIsOne() {
        float[] smallest = new float[1 << 18];
        for (int i = 0; i < smallest.length; i++) {
            smallest[i] = i * Float.MIN_VALUE;
        }
        Tensor x = Tensors.copyOf(smallest, smallest.length);
        LazyTensor wrong = LazyTensor.eval("sum(sinc(x) != 1)", Map.of("x", x));
        assertThat(wrong.compute(CUDA).values()).containsExactly(0L);
    }
}
