package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reductions in string expressions; x is [[1, 2], [3, 0]] in float64, and the values are PyTorch's. */
class ReductionTextsTest {
    private static LazyTensor parse(String text) {
        return LazyTensor.eval(text, Map.of("x", Tensors.copyOf(new double[] {1, 2, 3, 0}, 2, 2)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\0',
            value = {
                "sum(x, dtype=int64); 6",
                "sum(x, 0, True, int32); [[4, 2]]",
                "x.prod(1); [2.0, 0.0]",
                "all(x, dim=1); [true, false]",
                "any(x); true",
                "count_nonzero(x, (0, 1)); 3",
                "argmax(x); 2",
                "x.argmin(dim=0, keepdim=True); [[0, 1]]",
                "var(x, 0); [2.0, 2.0]",
                "var(x, 0, False); [1.0, 1.0]",
                "std(x, dim=0, unbiased=False, keepdims=True); [[1.0, 1.0]]",
                "var(x, axis=1, correction=0); [0.25, 2.25]",
                "norm(x - 1, 1); 4.0",
                "norm(x, p=-1, dim=None); 0.0",
                "exp(logsumexp(0 * x, 1)); [2.0, 2.0]",
                "nansum(x / x); 3.0",
                "nanmean(x / x, 1); [1.0, 1.0]",
                "softmax(x * 0, 1); [[0.5, 0.5], [0.5, 0.5]]",
                "cumsum(x, 0); [[1.0, 2.0], [4.0, 2.0]]",
                "x.cumprod(dim=-1, dtype=int16); [[1, 2], [3, 0]]",
                "median(x); 1.0",
                "median(x, 0); [1.0, 0.0]",
                "nanmedian(x / x); 1.0",
                "quantile(x, 0.5); 1.5",
                "x.quantile(0.5, 1, interpolation='higher'); [2.0, 3.0]"
            })
    void everyReductionHasItsName(String text, String value) {
        Tensor got = parse(text).compute();
        assertThat(got.shape().rank() == 0 ? got.item().toString() : rows(got)).isEqualTo(value);
    }

    private static String rows(Tensor tensor) {
        if (tensor.rank() == 1) {
            return tensor.values().toString();
        }
        StringBuilder rows = new StringBuilder();
        for (long i = 0; i < tensor.shape().size(0); i++) {
            rows.append(i == 0 ? "" : ", ").append(tensor.select(0, i).values());
        }
        return "[" + rows + "]";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\0',
            value = {
                "sum(x, 0, True, int32, 5); Cannot call sum: 5 arguments given",
                "sum(x, 0, dim=1); Cannot call sum: dim is given twice",
                "norm(x, p=x); Cannot read p: 'x'; write a plain number",
                "softmax(x); Cannot call softmax: 0 dimensions given; it goes along one, such as dim=0",
                "quantile(x); Cannot call quantile: q is missing; give a plain number",
                "cumsum(x, 0, dtype=float3); Cannot find dtype 'float3'; write one such as float32",
                "var(x, unbiased=0); Cannot read unbiased: '0'; write True or False",
                "argmax(x, (0, 2)); Dimension out of range (expected to be in range of [-2, 1], but got 2)",
                "quantile(x, .5, interpolation='up'); quantile() interpolation must be one of linear, lower, higher",
                "sum(x, dims=0); Cannot use the argument 'dims' of sum; did you mean 'dim'?"
            })
    void whatCannotBeReadIsNamed(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(RuntimeException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aWrongArgumentIsShownInItsPlace() {
        assertThatThrownBy(() -> parse("1 + sum(x, keepdim=2)"))
                .isInstanceOf(ExprSyntaxException.class)
                .hasMessageContaining("1 + sum(x, keepdim=2)\n                       ^");
    }
}
