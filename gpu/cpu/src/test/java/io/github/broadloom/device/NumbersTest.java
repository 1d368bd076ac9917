package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cpu.CpuBackend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On the CPU, programs that differ in plain numbers alone are one kernel. */
class NumbersTest {
    private final CpuBackend cpu = new CpuBackend();

    private static Map<String, Tensor> tensors(long... shape) {
        Tensor x = Tensors.arange(Shape.of(shape).numel()).view(shape);
        return Map.of("x", x.to(DType.FLOAT32), "d", x.to(DType.FLOAT64), "h", x.to(DType.FLOAT16), "i", x);
    }

    private Tensor evaluated(String text, Map<String, Tensor> tensors) {
        return cpu.evaluate(LazyTensor.eval(text, tensors).expr(), 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x > @; 64",
                "where(x > @, x * @, @); 64",
                "clamp(x, -@, @) + leaky_relu(h, @); 64",
                "i ^ @; 64",
                "d * @ - @; 64",
                "tanh(x * @) + @; 64",
                "x * @ + @; 16384", // where the tensors lie
                "tanh(x * @) + @; 16384",
                "sum((x - @) * @, 0); 128" // folded
            })
    void aSweepOf500NumbersCompilesOnce(String text, long rows) {
        Map<String, Tensor> tensors = tensors(rows, 16);
        for (int i = 0; i < 500; i++) {
            evaluated(
                            text.replace("@", text.contains("i ^") ? Integer.toString(i) : Double.toString(3.25 + i)),
                            tensors)
                    .release();
        }
        assertThat(cpu.kernelStats().misses()).isEqualTo(1);
    }

    @Test
    void eachCallHasItsOwnNumbers() {
        Tensor x = Tensors.of(1f, -2f, 0f, 3e38f);
        for (Number number : List.of(0.0, -0.0, 1.5, Double.NaN, Double.POSITIVE_INFINITY, 0.1, -3e38)) {
            float factor = number.floatValue();
            float[] expected = {
                1f * factor - factor, -2f * factor - factor, 0f * factor - factor, 3e38f * factor - factor
            };
            Tensor got = cpu.evaluate(LazyTensor.of(x).mul(number).sub(number).expr(), 1);
            assertThat(got.toFloatArray()).as("times and minus %s", number).containsExactly(expected);
            got.release();
        }
    }

    /** A division by a known integer is a multiplication, a multiplication by one is shifts. */
    @ParameterizedTest
    @ValueSource(strings = {"i // @", "i % @", "i * @", "i << @", "x ** @"})
    void numbersThatDecideTheCodeStandInIt(String text) {
        Map<String, Tensor> tensors = tensors(64);
        evaluated(text.replace("@", "3"), tensors).release();
        evaluated(text.replace("@", "5"), tensors).release();
        assertThat(cpu.kernelStats().misses()).isEqualTo(2);
    }
}
