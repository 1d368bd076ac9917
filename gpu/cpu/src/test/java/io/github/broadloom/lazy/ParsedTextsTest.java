package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text that was read before means what it says of the tensors that it is given now. */
class ParsedTextsTest {
    private static Tensor matrix(long first, DType dtype) {
        return LazyTensor.of(Tensors.arange(12).view(3, 4)).add(first).to(dtype).compute();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "x * y + 1",
                "x.t() @ y", // a view, which is of one tensor
                "sum(x - amax(y), 0)",
                "where(x > y, x / 2, y ** 2)",
                "cat([x, y.flip(0)], 1)",
                "(x + y).t()[1:]"
            })
    void itIsOverOtherTensors(String text) {
        for (DType dtype : new DType[] {DType.INT64, DType.FLOAT32}) {
            for (long first = 0; first < 30; first += 10) {
                Tensor x = matrix(first, dtype);
                Tensor y = matrix(7 * first + 1, dtype);
                Tensor plainly = LazyTensor.eval(text + " ".repeat((int) first + dtype.bytes()), Map.of("x", x, "y", y))
                        .compute();
                Tensor again = LazyTensor.eval(text, Map.of("x", x, "y", y)).compute();
                assertThat(again.dtype()).isEqualTo(plainly.dtype());
                assertThat(again.shape()).isEqualTo(plainly.shape());
                assertThat(again.values()).isEqualTo(plainly.values());
            }
        }
    }

    @Test
    void aTensorThatIsWrittenToIsReadAgain() {
        Tensor x = Tensors.of(1f, 2f);
        for (float expected : new float[] {2, 6, 18}) {
            assertThat(LazyTensor.eval("x + x", Map.of("x", x)).compute().toFloatArray()[0])
                    .isEqualTo(expected);
            InPlace.add_(x, expected);
        }
    }

    @Test
    void oneTensorOfTwoNamesIsBoth() {
        Tensor x = Tensors.of(1f, 2f);
        Tensor y = Tensors.of(10f, 20f);
        assertThat(LazyTensor.eval("x - y", Map.of("x", x, "y", y)).compute().toFloatArray())
                .containsExactly(-9, -18);
        assertThat(LazyTensor.eval("x - y", Map.of("x", y, "y", y)).compute().toFloatArray())
                .containsExactly(0, 0);
    }

    @Test
    void itTakesWhatOperatorsTake() {
        Tensor x = Tensors.copyOf(new double[] {1, 2}, 2);
        LazyTensor twice = LazyTensor.of(x).mul(2);
        for (double scale : new double[] {0.1, 0.2}) { // a number keeps its precision, and each is read for itself
            Map<String, Object> names = Map.of("x", x, "s", scale, "twice", twice, "all", true);
            assertThat(LazyTensor.eval("where(all, x * s + twice, x)", names)
                            .compute()
                            .toDoubleArray())
                    .containsExactly(scale + 2, 2 * scale + 4);
        }
        assertThatThrownBy(() -> LazyTensor.eval("x", Map.of("x", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use an operand: 1 is a String; give a tensor, a Number or a Boolean");
    }

    @Test
    void whatIsNoExpressionIsRefusedEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> LazyTensor.eval("x +", Map.of("x", Tensors.of(1f))))
                    .isInstanceOf(ExprSyntaxException.class);
            assertThatThrownBy(() -> LazyTensor.eval("x + y", Map.of("x", Tensors.ones(2), "y", Tensors.ones(3))))
                    .hasMessageContaining("must match the size");
        }
    }
}
