package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The places of least and greatest values along lines of all lengths, against plain loops. */
class PositionLinesTest {

    /** Few different values, so that many are equal; lines around the length of a tile and far longer. */
    @ParameterizedTest
    @CsvSource({
        "FLOAT32, 1",
        "FLOAT32, 2",
        "FLOAT32, 7",
        "FLOAT32, 2047",
        "FLOAT32, 2049",
        "FLOAT32, 30001",
        "FLOAT64, 5",
        "FLOAT64, 9001",
        "FLOAT16, 100",
        "UINT8, 3000",
        "INT8, 77",
        "INT16, 5001",
        "INT32, 33",
        "INT64, 4096",
        "INT64, 20001"
    })
    void theFirstOfEqualValues(DType dtype, int length) {
        int rows = 5;
        long[] values = new long[rows * length];
        Random random = new Random(length);
        for (int i = 0; i < values.length; i++) {
            values[i] = 3 + random.nextInt(60);
        }
        Tensor x = Tensors.copyOf(values, rows, length).to(dtype);
        long[] least = LazyTensor.of(x).argmin(1).compute().toLongArray();
        long[] most = LazyTensor.of(x).argmax(1).compute().toLongArray();
        for (int row = 0; row < rows; row++) {
            int low = 0;
            int high = 0;
            for (int i = 1; i < length; i++) {
                low = values[row * length + i] < values[row * length + low] ? i : low;
                high = values[row * length + i] > values[row * length + high] ? i : high;
            }
            assertThat(least[row]).isEqualTo(low);
            assertThat(most[row]).isEqualTo(high);
        }
    }

    @Test
    void theFirstNaNComesBeforeAll() {
        double[] values = new double[12_000];
        values[9000] = Double.NaN;
        values[11_000] = Double.NaN;
        values[10_000] = Double.NEGATIVE_INFINITY;
        Tensor x = Tensors.copyOf(values, 2, 6000);
        assertThat(LazyTensor.of(x).argmin(1).compute().toLongArray()).containsExactly(0, 3000);
        assertThat(LazyTensor.of(x).argmax(1).compute().toLongArray()).containsExactly(0, 3000);
        assertThat(LazyTensor.of(x).to(DType.FLOAT32).argmax().compute().item()).isEqualTo(9000L);
    }

    @Test
    void zerosOfEitherSignAreEqual() {
        Tensor x = Tensors.copyOf(new float[] {1, 0f, -0f, -0f, 0f, 2, -1, -0f, 0f, -2}, 2, 5);
        assertThat(LazyTensor.of(x).argmin(1).compute().toLongArray()).containsExactly(1, 4);
        assertThat(LazyTensor.of(x).neg().argmax(1).compute().toLongArray()).containsExactly(1, 4);
        assertThat(LazyTensor.of(x).argmax(1).compute().toLongArray()).containsExactly(0, 0);
    }

    @Test
    void theExtremesOfIntegersTurnRoundWithoutOverflow() {
        Tensor x =
                Tensors.copyOf(new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 1}, 2, 3);
        assertThat(LazyTensor.of(x).argmax(1).compute().toLongArray()).containsExactly(2, 1);
        assertThat(LazyTensor.of(x).argmin(1).compute().toLongArray()).containsExactly(1, 0);
    }

    /** The place of a value among all elements is made of those of its lines. */
    @Test
    void linesThatGoOnOverOuterDimensions() {
        Tensor x = Tensors.arange(24).view(2, 3, 4);
        assertThat(LazyTensor.of(x).neg().argmin(KeepDim.KEEP, -1).compute().shape())
                .hasToString("[2, 3, 1]");
        assertThat(LazyTensor.of(x).sub(11).abs().argmin().compute().item()).isEqualTo(11L);
        assertThat(LazyTensor.of(x).sub(17).abs().argmin(2).compute().toLongArray())
                .containsExactly(3, 3, 3, 3, 1, 0);
        assertThat(LazyTensor.of(x).sub(17).abs().argmin(1).compute().toLongArray())
                .containsExactly(2, 2, 2, 2, 1, 1, 1, 0);
    }

    @Test
    void besideOtherReductionsOfTheSameValues() {
        Tensor x = Tensors.arange(60_000).to(DType.FLOAT32).view(3, 20_000);
        LazyTensor far = LazyTensor.of(x).sub(30_011).abs();
        LazyTensor both = far.argmin(1).to(DType.FLOAT64).stack(0, far.amin(1).to(DType.FLOAT64));
        assertThat(both.compute().toDoubleArray()).containsExactly(19_999, 10_011, 0, 10_012, 0, 9989);
    }
}
