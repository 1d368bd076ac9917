package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Running sums, medians and quantiles; values and texts are PyTorch 2.13's. */
class LinesTest {
    private static final double NAN = Double.NaN;

    private static LazyTensor x() {
        double[] values = {3, 1, NAN, 2, 4, 1, 5, 9, 2, 6, 5, 3};
        return LazyTensor.of(Tensors.copyOf(values, 3, 4));
    }

    private static LazyTensor y() {
        return LazyTensor.of(Tensors.of(1f, 5f, 2f, 8f, 3f, 1f, 4f, 1f).view(2, 4));
    }

    @Test
    void runningSumsGoAlongTheDimension() {
        assertThat(x().cumsum(0).compute().values())
                .containsExactly(3.0, 1.0, NAN, 2.0, 7.0, 2.0, NAN, 11.0, 9.0, 8.0, NAN, 14.0);
        assertThat(y().cumprod(-1).compute().values()).containsExactly(1.0, 5.0, 10.0, 80.0, 3.0, 3.0, 12.0, 12.0);
        Tensor counts = LazyTensor.of(Tensors.of(true, false, true)).cumsum(0).compute();
        assertThat(counts.dtype()).isEqualTo(DType.INT64);
        assertThat(counts.values()).containsExactly(1L, 1L, 2L);
        assertThat(y().mul(50).cumsum(1, DType.INT8).compute().values())
                .containsExactly(50L, 44L, -112L, 32L, -106L, -56L, -112L, -62L);
    }

    @Test
    void theLayoutDoesNotMatter() {
        Tensor stored = x().compute().t().copy().t();
        Tensor every = Tensors.arange(48).view(8, 6).index(Slice.parse("1:8:3"), Slice.parse("0:6:2"));
        assertThat(LazyTensor.of(stored).cumsum(0).compute().values())
                .isEqualTo(x().cumsum(0).compute().values());
        assertThat(LazyTensor.of(every).cumsum(0).compute().values())
                .containsExactly(6L, 8L, 10L, 30L, 34L, 38L, 72L, 78L, 84L);
        assertThat(LazyTensor.of(every).median().compute().item()).isEqualTo(26L);
        assertThat(LazyTensor.of(Tensors.of(2f).expand(3)).cumsum(0).compute().values())
                .containsExactly(2.0, 4.0, 6.0);
    }

    @Test
    void sumsOfFloat32AreCarriedInDouble() {
        LazyTensor x = LazyTensor.of(Tensors.of(3e38f, 3e38f, -3e38f));
        assertThat(x.cumsum(0).compute().values())
                .containsExactly((double) 3e38f, Double.POSITIVE_INFINITY, (double) 3e38f);
    }

    @Test
    void theLastOfEqualExtremesIsTheOneThatCounts() {
        assertThat(x().cummax(1).values().compute().values())
                .containsExactly(3.0, 3.0, NAN, NAN, 4.0, 4.0, 5.0, 9.0, 2.0, 6.0, 6.0, 6.0);
        assertThat(x().cummax(1).indices().compute().values())
                .containsExactly(0L, 0L, 2L, 2L, 0L, 0L, 2L, 3L, 0L, 1L, 1L, 1L);
        assertThat(x().cummin(0).indices().compute().values())
                .containsExactly(0L, 0L, 0L, 0L, 0L, 1L, 0L, 0L, 2L, 1L, 0L, 0L);
        assertThat(LazyTensor.of(Tensors.of(1L, 3L, 3L, 2L))
                        .cummax(0)
                        .indices()
                        .compute()
                        .values())
                .containsExactly(0L, 1L, 2L, 2L);
    }

    @Test
    void mediansAreTheLowerMiddleAndNaNWhereThereIsOne() {
        assertThat(x().median(KeepDim.DROP, 0).values().compute().values()).containsExactly(3.0, 1.0, NAN, 3.0);
        assertThat(x().median(KeepDim.DROP, 0).indices().compute().values()).containsExactly(0L, 0L, 0L, 2L);
        assertThat(x().nanmedian(KeepDim.KEEP, 1).values().compute().values()).containsExactly(2.0, 4.0, 3.0);
        assertThat(x().nanmedian(KeepDim.KEEP, 1).indices().compute().shape()).isEqualTo(Shape.of(3, 1));
        assertThat(x().nanmedian().compute().item()).isEqualTo(3.0);
        assertThat(x().median().compute().getDouble()).isNaN();
        assertThat(LazyTensor.of(Tensors.zeros(0)).median().compute().getDouble())
                .isNaN();
        assertThat(LazyTensor.of(Tensors.scalar(5L)).median().compute().item()).isEqualTo(5L);
    }

    @ParameterizedTest
    @CsvSource({"linear, 1.9, 1", "lower, 1, 1", "higher, 2, 1", "midpoint, 1.5, 1", "nearest, 2, 1"})
    void quantilesInterpolateAsTheyAreTold(String interpolation, double first, double second) {
        LazyTensor quantile = y().to(DType.FLOAT64).quantile(0.3, Interpolation.of(interpolation), KeepDim.DROP, 1);
        assertThat(quantile.compute().values()).containsExactly(first, second);
    }

    @Test
    void quantilesOfNaNAreNaNUnlessItIsLeftOut() {
        assertThat(y().quantile(0.3).compute().item()).isEqualTo((double) 1.1000001430511475f);
        assertThat(x().quantile(0.5).compute().getDouble()).isNaN();
        assertThat(x().nanquantile(0.5, Interpolation.LINEAR, KeepDim.DROP, 1)
                        .compute()
                        .values())
                .containsExactly(2.0, 4.5, 4.0);
    }

    @Test
    void whatPyTorchRefusesIsRefusedInItsWords() {
        LazyTensor truth = LazyTensor.of(Tensors.of(true));
        LazyTensor none = LazyTensor.of(Tensors.zeros(0, 3));
        assertThatThrownBy(() -> x().cumsum(2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension out of range (expected to be in range of [-2, 1], but got 2)");
        assertThatThrownBy(() -> truth.cumsum(0, DType.BOOL))
                .hasMessage("\"cumsum_out_cpu\" not implemented for 'Bool'");
        assertThatThrownBy(truth::median).hasMessage("\"median_cpu\" not implemented for 'Bool'");
        assertThatThrownBy(() -> truth.median(KeepDim.DROP, 0)).hasMessage("\"median_out\" not implemented for 'Bool'");
        assertThatThrownBy(() -> none.median(KeepDim.DROP, 0))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("median(): Expected reduction dim 0 to have non-zero size.");
        assertThatThrownBy(() -> x().quantile(1.5)).hasMessage("quantile() q must be in the range [0, 1] but got 1.5");
        assertThatThrownBy(() -> none.quantile(0.5, 1)).hasMessage("quantile() input tensor must be non-empty");
        assertThatThrownBy(() -> truth.quantile(0.5))
                .hasMessage("quantile() input tensor must be either float or double dtype");
        assertThatThrownBy(() -> Interpolation.of("foo"))
                .hasMessage(
                        "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got"
                                + " foo");
    }

    @Test
    void linesAreExplainedAndTravel() throws Exception {
        LazyTensor sums = x().exp().cumsum(1).add(1);
        assertThat(sums.explain())
                .contains("cumsum along [1] float64[3, 4]", "cumsum(…, dim=[1]) of float64[3, 4]: line by line");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            Expr slot = Input.of(0, DType.FLOAT64, Shape.of(3, 4));
            out.writeObject(sums.expr().mapInputs(input -> slot));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Expr back = ((Expr) in.readObject()).mapInputs(slot -> Input.of(x().compute()));
            assertThat(x().withExpr(back).compute().values())
                    .isEqualTo(sums.compute().values());
        }
    }

    @Test
    void theSingularValuesOfAMatrixWithNaNAreRefusedAndWithInfinitiesAreNaN() {
        assertThatThrownBy(nuclearNorm(1, Float.NaN)::compute)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite"
                                + " values.");
        assertThat(nuclearNorm(1, Float.POSITIVE_INFINITY).compute().values()).containsExactly(NAN);
    }

    private static LazyTensor nuclearNorm(float a, float b) {
        return LazyTensor.eval(
                "norm(x, 'nuc')", Map.of("x", Tensors.of(a, b, 2f, 3f).view(2, 2)));
    }
}
