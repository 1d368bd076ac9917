package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;

/** Reductions as methods; the expected values were worked out by hand, the texts are PyTorch 2.13's. */
class ReductionsTest {
    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;

    private static LazyTensor doubles(double... values) {
        return LazyTensor.of(Tensors.copyOf(values, values.length));
    }

    private static LazyTensor matrix() {
        return LazyTensor.of(Tensors.of(1L, 2L, 3L, 0L).view(2, 2));
    }

    private static double value(LazyTensor tensor) {
        return tensor.compute().getDouble();
    }

    @Test
    void truthOfUint8IsUint8AndOfAllElseBool() {
        assertThat(matrix().all(1).compute().values()).containsExactly(true, false);
        Tensor any = matrix().to(DType.UINT8).any(0).compute();
        assertThat(any.dtype()).isEqualTo(DType.UINT8);
        assertThat(any.values()).containsExactly(1L, 1L);
        assertThat(doubles(NAN).all().compute().item()).isEqualTo(true);
        assertThat(doubles().all().compute().item()).isEqualTo(true);
        assertThat(doubles().any().compute().item()).isEqualTo(false);
    }

    @Test
    void productsWrapAndTheProductOfNothingIsOne() {
        LazyTensor large = LazyTensor.of(Tensors.of(1L << 40, 1L << 30));
        assertThat(large.prod().compute().item()).isEqualTo(0L);
        assertThat(value(doubles().prod())).isEqualTo(1);
        assertThat(matrix().prod(DType.INT8, KeepDim.KEEP, 1).compute().dtype()).isEqualTo(DType.INT8);
        assertThat(matrix().sum(DType.BOOL, KeepDim.DROP).compute().item()).isEqualTo(true);
        assertThatThrownBy(() -> matrix().mean(DType.INT32, KeepDim.DROP))
                .hasMessage("mean(): could not infer output dtype. Optional dtype must be either a floating point or"
                        + " complex dtype. Got: Int");
        assertThat(matrix().mean(DType.FLOAT64, KeepDim.DROP).compute().item()).isEqualTo(1.5);
    }

    @Test
    void nanIsNotZeroAndIsLeftOutWhereTheNameSaysSo() {
        LazyTensor x = doubles(1, NAN, 0, 3);
        assertThat(x.countNonzero().compute().item()).isEqualTo(3L);
        assertThat(value(x.nansum())).isEqualTo(4);
        assertThat(value(x.nanmean())).isEqualTo(4.0 / 3);
        assertThatThrownBy(() -> matrix().nanmean())
                .hasMessage("nanmean(): expected input to have floating point or complex dtype but got Long");
    }

    @Test
    void theVarianceIsThatOfTheTextbook() {
        LazyTensor x = doubles(1, 2, 4);
        assertThat(value(x.var())).isCloseTo(7.0 / 3, within(1e-15));
        assertThat(value(x.std())).isCloseTo(Math.sqrt(7.0 / 3), within(1e-15));
        assertThat(value(x.var(0, KeepDim.DROP))).isCloseTo(14.0 / 9, within(1e-15));
        assertThat(value(x.var(0.5, KeepDim.DROP, 0))).isCloseTo(14.0 / 3 / 2.5, within(1e-15));
        assertThat(value(x.var(3, KeepDim.DROP))).isEqualTo(INF);
        assertThat(value(x.var(5, KeepDim.DROP))).isEqualTo(INF);
        assertThat(value(doubles(2, 2).var(5, KeepDim.DROP))).isNaN();
        assertThat(value(doubles(7).var())).isNaN();
        assertThat(value(doubles(-7).std(0, KeepDim.DROP))).isEqualTo(0);
        assertThat(value(doubles(7, INF).var())).isNaN();
        assertThat(value(doubles().var())).isNaN();
        assertThatThrownBy(() -> matrix().std())
                .hasMessage("std and var only support floating point and complex dtypes");
    }

    @Test
    void ofTwoWrongDimensionsTheVarianceNamesTheFirstAndTheSumTheOneThatDoesNotExist() {
        LazyTensor x = doubles(1, 2);
        assertThatThrownBy(() -> x.var(0, 0, 5)).hasMessage("dim 0 appears multiple times in the list of dims");
        assertThatThrownBy(() -> x.sum(0, 0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void placesAreTheFirstOfEqualValuesOrOfNaNs() {
        assertThat(doubles(2, 5, 1, 5).argmax().compute().item()).isEqualTo(1L);
        assertThat(doubles(2, NAN, 1, NAN).argmin().compute().item()).isEqualTo(1L);
        assertThat(matrix().argmax().compute().item()).isEqualTo(2L);
        assertThat(matrix().argmin(KeepDim.KEEP, 1).compute().values()).containsExactly(0L, 1L);
        assertThat(matrix().argmax(0).compute().values()).containsExactly(1L, 0L);
        Tensor column = LazyTensor.of(Tensors.arange(24).view(2, 3, 4).permute(2, 0, 1))
                .argmax(0)
                .compute();
        assertThat(column.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(column.values()).containsOnly(3L);
        assertThatThrownBy(() -> matrix().to(DType.BOOL).argmax()).hasMessage("argmax(): does not support bool input");
        assertThatThrownBy(() -> doubles().argmax())
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("argmax(): Expected reduction dim to be specified for input.numel() == 0.");
        assertThatThrownBy(() -> doubles().argmin(-1))
                .hasMessage("argmin(): Expected reduction dim 0 to have non-zero size.");
    }

    @Test
    void extremesComeWithTheirPlaces() {
        ValuesAndIndices<LazyTensor> least = matrix().min(KeepDim.DROP, 1);
        assertThat(least.values().compute().values()).containsExactly(1L, 0L);
        assertThat(least.indices().compute().values()).containsExactly(0L, 1L);
        ValuesAndIndices<LazyTensor> truth = matrix().to(DType.BOOL).max(KeepDim.KEEP, 0);
        assertThat(truth.values().compute().values()).containsExactly(true, true);
        assertThat(truth.indices().compute().values()).containsExactly(0L, 0L);
        assertThatThrownBy(() -> doubles().max(KeepDim.DROP, 0))
                .hasMessage("max(): Expected reduction dim 0 to have non-zero size.");
    }

    @Test
    void normsOfEveryOrder() {
        LazyTensor x = doubles(3, -4, 0);
        assertThat(value(x.norm())).isEqualTo(5);
        assertThat(value(x.norm(1, KeepDim.DROP))).isEqualTo(7);
        assertThat(value(x.norm(0, KeepDim.DROP))).isEqualTo(2);
        assertThat(value(x.norm(INF, KeepDim.DROP))).isEqualTo(4);
        assertThat(value(x.norm(-INF, KeepDim.DROP))).isEqualTo(0);
        assertThat(value(x.norm(3, KeepDim.DROP))).isCloseTo(Math.cbrt(91), within(1e-14));
        assertThat(value(x.norm(-1, KeepDim.DROP))).isEqualTo(0);
        assertThat(value(LazyTensor.of(Tensors.of(300f, 400f)).to(DType.FLOAT16).norm()))
                .isEqualTo(500);
        assertThat(value(LazyTensor.of(Tensors.of(-1e30f)).norm())).isEqualTo(1e30f);
    }

    @Test
    void aNormThatNeedsAValueRefusesNothing() {
        LazyTensor empty = LazyTensor.of(Tensors.zeros(0, 3));
        assertThatThrownBy(() -> empty.norm(INF, KeepDim.DROP))
                .hasMessage(
                        "linalg.vector_norm cannot compute the inf norm on an empty tensor because the operation does"
                                + " not have an identity");
        assertThatThrownBy(() -> empty.norm(-1, KeepDim.DROP, -2))
                .hasMessage("linalg.vector_norm cannot compute the -1 norm on the dimension -2because this dimension is"
                        + " empty and the operation does not have an identity");
        assertThat(empty.norm(0).compute().values()).containsExactly(0.0, 0.0, 0.0);
        assertThatThrownBy(() -> matrix().norm())
                .hasMessage("linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long");
    }

    @Test
    void logsumexpNeitherOverflowsNorMistakesInfinities() {
        assertThat(value(doubles(1000, 1000).logsumexp())).isCloseTo(1000 + Math.log(2), within(1e-12));
        assertThat(value(doubles(-INF, -INF).logsumexp())).isEqualTo(-INF);
        assertThat(value(doubles(INF, -INF, 3).logsumexp(0))).isEqualTo(INF);
        assertThat(value(doubles().logsumexp())).isEqualTo(-INF);
        assertThat(value(doubles(1, NAN).logsumexp())).isNaN();
        Tensor ofIntegers = matrix().logsumexp(KeepDim.KEEP, 0, 1).compute();
        assertThat(ofIntegers.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(ofIntegers.shape()).isEqualTo(Shape.of(1, 1));
        assertThat(ofIntegers.getDouble(0, 0))
                .isCloseTo(Math.log(1 + Math.E + Math.exp(2) + Math.exp(3)), within(1e-6));
    }

    @Test
    void softmaxSumsToOne() {
        LazyTensor x = LazyTensor.of(Tensors.copyOf(new double[] {1, 2, 3, 1000}, 2, 2));
        Tensor soft = x.softmax(1).compute();
        assertThat(soft.getDouble(0, 0)).isCloseTo(1 / (1 + Math.E), within(1e-15));
        assertThat(soft.getDouble(1, 1)).isEqualTo(1);
        assertThat(x.logSoftmax(1).compute().getDouble(1, 0)).isEqualTo(-997);
        assertThatThrownBy(() -> matrix().softmax(0)).hasMessage("\"softmax_kernel_impl\" not implemented for 'Long'");
        assertThatThrownBy(() -> matrix().softmax(-1))
                .hasMessage("\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
        assertThatThrownBy(() -> LazyTensor.of(Tensors.scalar(true)).logSoftmax(0))
                .hasMessage("\"log_softmax_lastdim_kernel_impl\" not implemented for 'Bool'");
    }
}
