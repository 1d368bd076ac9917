package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a plain number means something else than a tensor of the same value; values and texts are PyTorch 2.13's. */
class NumberOperandsTest {
    private static final double INF = Double.POSITIVE_INFINITY;

    private static LazyTensor of(DType dtype, double... values) {
        return LazyTensor.of(Tensors.copyOf(values, values.length).to(dtype));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aPlainExponentOfOneHalfIsTheSquareRoot(DType dtype) {
        LazyTensor x = of(dtype, -INF, -0.0, 4, INF);
        assertThat(x.pow(0.5).compute().values()).isEqualTo(List.of(Double.NaN, -0.0, 2.0, INF));
        assertThat(x.pow(-0.5).compute().values()).isEqualTo(List.of(Double.NaN, -INF, 0.5, 0.0));
        assertThat(x.pow(of(dtype, 0.5, 0.5, 0.5, 0.5)).compute().values()).isEqualTo(List.of(INF, 0.0, 2.0, INF));
        assertThat(InPlace.apply_(Ops.POW, x.compute(), 0.5).values()).isEqualTo(List.of(Double.NaN, -0.0, 2.0, INF));
    }

    /** By exact arithmetic, and two units in the last place for what the row of the power permits. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "FLOAT32", "FLOAT64"})
    void aSmallWholeExponentIsAProduct(DType dtype) {
        Tensor x = of(dtype, random(dtype)).compute();
        for (int exponent = 3; exponent <= 9; exponent++) {
            Tensor power = LazyTensor.of(x).pow(exponent).compute();
            for (int i = 0; i < x.numel(); i++) {
                BigDecimal exact = new BigDecimal((double) x.get(i)).pow(exponent);
                assertThat(Math.abs(exact.subtract(new BigDecimal((double) power.get(i)))
                                .doubleValue()))
                        .as("%s ** %d", x.get(i), exponent)
                        .isLessThanOrEqualTo(2 * ulp(dtype, exact.doubleValue()));
            }
        }
        LazyTensor special = of(dtype, -0.0, -INF, INF, Double.NaN);
        assertThat(special.pow(3).compute().values()).isEqualTo(List.of(-0.0, -INF, INF, Double.NaN));
        assertThat(special.pow(6).compute().values()).isEqualTo(List.of(0.0, INF, INF, Double.NaN));
    }

    /** Not so large or small that a power of them is no normal number. */
    private static double[] random(DType dtype) {
        double most = dtype == DType.FLOAT16 ? 3 : 1000;
        return new Random(3)
                .doubles(2000, 1 / most, most)
                .map(value -> value > 1 ? value : -value)
                .toArray();
    }

    private static double ulp(DType dtype, double value) {
        return switch (dtype) {
            case FLOAT64 -> Math.ulp(value);
            case FLOAT32 -> Math.ulp((float) value);
            default -> Math.scalb(1.0, Math.max(-14, Math.getExponent(value)) - 10);
        };
    }

    @Test
    void powersOfIntegersWrapAround() {
        LazyTensor bytes = of(DType.INT8, -7, 100, -128);
        assertThat(bytes.pow(3).compute().values()).isEqualTo(List.of((long) (byte) -343, (long) (byte) 1000000, 0L));
        LazyTensor longs = LazyTensor.of(Tensors.of(-3L, 1L << 33));
        assertThat(longs.pow(7).compute().values()).isEqualTo(List.of(-2187L, 0L));
    }

    @Test
    void aPlainExponentOfOneHalfToFloat16IsAPower() {
        assertThat(of(DType.FLOAT16, -INF, -0.0).pow(0.5).compute().values()).isEqualTo(List.of(INF, 0.0));
    }

    /** A tensor's exponent is rounded to the dtype of the base first; a plain one is not. */
    @Test
    void aZeroDimExponentHasThePrecisionOfTheResult() {
        LazyTensor x = of(DType.FLOAT32, 85.19, 85.19);
        Tensor exponent = Tensors.scalar(-3.772, DType.FLOAT64);
        assertThat(x.pow(exponent).compute().get(0)).isEqualTo((double) 5.2308703e-08f);
        assertThat(x.pow(-3.772).compute().get(0)).isEqualTo((double) 5.2308717e-08f);
        assertThat(x.pow(exponent).dtype()).isEqualTo(DType.FLOAT32);
    }

    @Test
    void aZeroDimOfAWiderDtypeIsRoundedToFloat16OnTheLeftAlone() {
        LazyTensor x = of(DType.FLOAT16, 3, 2);
        LazyTensor tenth = LazyTensor.of(Tensors.scalar(0.1, DType.FLOAT32));
        assertThat(tenth.mul(x).compute().get(0)).isEqualTo(0.2998046875);
        assertThat(x.mul(tenth).compute().get(0)).isEqualTo(0.300048828125);
    }

    @Test
    void aPlainChoiceHasToFitButInFloat16() {
        LazyTensor mask = LazyTensor.of(Tensors.of(true, false));
        LazyTensor x = of(DType.FLOAT32, 1, 2);
        assertThatThrownBy(() -> mask.where(1e308, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value cannot be converted to type float without overflow");
        assertThatThrownBy(() -> mask.where(300, x.to(DType.INT8)))
                .hasMessage("value cannot be converted to type int8_t without overflow");
        assertThat(mask.where(-1, x.to(DType.UINT8)).compute().values()).isEqualTo(List.of(255L, 2L));
        assertThat(mask.where(70000.0, x.to(DType.FLOAT16)).compute().values()).isEqualTo(List.of(INF, 2.0));
    }

    /** 12536 / 1.6953125 is 7394.5…; between 4096 and 8192 halves are 4 apart. */
    @Test
    void aDivisorOfSeveralElementsDividesFloat16StepByStep() {
        LazyTensor a = of(DType.FLOAT16, 12536, -4700, 2047);
        LazyTensor b = of(DType.FLOAT16, 1.6953125, -1.529296875, 0.33);
        Tensor single = b.compute().narrow(0, 0, 1);
        assertThat(a.divTrunc(b).compute().values()).isEqualTo(List.of(7396.0, 3074.0, 6200.0));
        assertThat(a.divTrunc(single).compute().values()).isEqualTo(List.of(7392.0, -2772.0, 1207.0));
        assertThat(a.floorDivide(single).compute().get(0)).isEqualTo(7392.0);
    }

    @Test
    void sumsBeginAtPositiveZero() {
        LazyTensor x = of(DType.FLOAT32, -0.0, -0.0);
        assertThat(x.sum().compute().item()).isEqualTo(0.0);
        assertThat(x.mean().compute().item()).isEqualTo(0.0);
        assertThat(x.cumsum(0).compute().values()).isEqualTo(List.of(0.0, 0.0));
    }
}
