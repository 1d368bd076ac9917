package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Arguments of the fluent methods, and what the string language takes beyond Python; {@code call.jsonl} holds the rest. Values are those of PyTorch
 * 2.13 for {@code torch.arange(6, dtype=float64).reshape(2, 3)}.
 */
class ArgumentsTest {
    private final Tensor x = Tensors.copyOf(new double[] {0, 1, 2, 3, 4, 5}, 2, 3);

    private static List<Object> values(LazyTensor value) {
        return value.compute().values();
    }

    private Tensor read(String text) {
        return LazyTensor.eval(text, Map.of("x", x)).compute();
    }

    @Test
    void quantilesAtSeveralPlacesMakeALeadingDimension() {
        Tensor q = Tensors.copyOf(new double[] {0.25, 0.5}, 2);
        LazyTensor lazy = LazyTensor.of(x);
        assertThat(values(lazy.quantile(q))).isEqualTo(List.of(1.25, 2.5));
        LazyTensor rows = lazy.quantile(q, Interpolation.LINEAR, KeepDim.KEEP, 1);
        assertThat(rows.shape()).isEqualTo(Shape.of(2, 2, 1));
        assertThat(values(rows)).isEqualTo(List.of(0.5, 3.5, 1.0, 4.0));
        assertThat(values(lazy.nanquantile(q, Interpolation.LINEAR, KeepDim.DROP, 1)))
                .isEqualTo(List.of(0.5, 3.5, 1.0, 4.0));
        assertThat(lazy.quantile(Tensors.scalar(0.25, DType.FLOAT64)).shape()).isEqualTo(Shape.SCALAR);
    }

    @Test
    void numbersInBracketsAreTheSameAsATensorOfThem() {
        assertThat(read("quantile(x, [0.25, 0.5], dim=1)").values()).isEqualTo(List.of(0.5, 3.5, 1.0, 4.0));
        assertThat(read("x.quantile((0.25,))").values()).isEqualTo(List.of(1.25));
        assertThat(read("quantile(x, [0.5])").shape()).isEqualTo(Shape.of(1));
    }

    @Test
    void aStartMayBeATensor() {
        Tensor start = Tensors.scalar(-2, DType.INT32);
        assertThat(values(LazyTensor.of(x).narrow(1, start, 1))).isEqualTo(List.of(1.0, 4.0));
    }

    @Test
    void roundingTakesDecimals() {
        LazyTensor reals = LazyTensor.of(Tensors.copyOf(new double[] {1.2345, -2.5, 12345.678}, 3));
        assertThat(values(reals.round(2))).isEqualTo(List.of(1.23, -2.5, 12345.68));
        assertThat(values(reals.round(-1))).isEqualTo(List.of(0.0, -0.0, 12350.0));
    }

    @Test
    void aSoftmaxOfIntegersTakesADType() {
        LazyTensor ints = LazyTensor.of(x.to(DType.INT32));
        assertThat(ints.softmax(0, DType.FLOAT64).dtype()).isEqualTo(DType.FLOAT64);
        assertThat((Double) ints.softmax(0, DType.FLOAT64).compute().get(0, 0))
                .isCloseTo(0.04742587317756679, within(1e-15));
        assertThat((Double) ints.logSoftmax(0, DType.FLOAT64).compute().get(0, 0))
                .isCloseTo(-3.048587351573742, within(1e-15));
    }
}
