package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

/** Ten million integers in floating dtypes, of which sums and squares are known exactly. */
class LargeReductionTest {
    private static final Backend CPU = Devices.backend(Device.CPU);
    private static final int COUNT = 10_000_019;

    /** From -2^19 to 2^19, in no order. */
    private static long pattern(int i) {
        return (i * 2_654_435_761L & 0xfffff) - (1 << 19);
    }

    private static double reduce(Reduction reduction, Tensor x) {
        return CPU.evaluate(Expr.reduce(reduction, Input.of(x), KeepDim.DROP)).getDouble();
    }

    private static BigDecimal exactVariance(long sum, BigInteger squares) {
        BigDecimal count = BigDecimal.valueOf(COUNT);
        BigDecimal mean = BigDecimal.valueOf(sum).divide(count, MathContext.DECIMAL128);
        return new BigDecimal(squares)
                .subtract(mean.multiply(BigDecimal.valueOf(sum)))
                .divide(count.subtract(BigDecimal.ONE), MathContext.DECIMAL128);
    }

    @Test
    void tenMillionValuesHaveTheirExactSumMeanVarianceAndExtremes() {
        float[] values = new float[COUNT];
        long sum = 0;
        BigInteger squares = BigInteger.ZERO;
        int first = 0;
        for (int i = 0; i < COUNT; i++) {
            long value = pattern(i);
            values[i] = value;
            sum += value;
            squares = squares.add(BigInteger.valueOf(value * value));
            first = value > values[first] ? i : first;
        }
        Tensor x = Tensors.copyOf(values, COUNT);
        assertThat(reduce(Reduction.SUM, x)).isEqualTo((float) sum);
        assertThat(reduce(Reduction.MEAN, x)).isEqualTo((float) ((double) sum / COUNT));
        float variance = exactVariance(sum, squares).floatValue();
        assertThat(reduce(Reduction.VAR, x)).isCloseTo(variance, within((double) Math.ulp(variance)));
        assertThat(reduce(Reduction.AMAX, x)).isEqualTo(values[first]);
        assertThat(CPU.evaluate(Expr.reduce(Reduction.ARGMAX, Input.of(x), KeepDim.DROP))
                        .item())
                .isEqualTo((long) first);
    }

    @Test
    void aMeanAHundredMillionTimesTheDeviationCostsTheVarianceNoDigitsThatCount() {
        double[] values = new double[COUNT];
        long sum = 0;
        BigInteger squares = BigInteger.ZERO;
        for (int i = 0; i < COUNT; i++) {
            long small = pattern(i) & 3;
            values[i] = 1.1e8 + small;
            sum += small;
            squares = squares.add(BigInteger.valueOf(small * small));
        }
        double exact = exactVariance(sum, squares).doubleValue();
        Tensor x = Tensors.copyOf(values, COUNT);
        assertThat(reduce(Reduction.VAR, x)).isCloseTo(exact, within(1e-11 * exact));
        assertThat(reduce(Reduction.STD, x.to(DType.FLOAT64))).isCloseTo(Math.sqrt(exact), within(1e-11));
    }
}
