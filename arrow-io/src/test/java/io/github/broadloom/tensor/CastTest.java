package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Casts as C compiles them for x86, which is what PyTorch does on the CPU. */
class CastTest {

    @ParameterizedTest
    @CsvSource({
        "INT64, 2.9, 2",
        "INT64, -2.9, -2",
        "INT64, NaN, -9223372036854775808",
        "INT64, 1e19, -9223372036854775808",
        "INT64, -Infinity, -9223372036854775808",
        "INT64, 9.007199254740993e15, 9007199254740992",
        "INT32, 2147483647.9, 2147483647",
        "INT32, -2147483648.9, -2147483648",
        "INT32, 2147483648, -2147483648",
        "INT32, NaN, -2147483648",
        "INT16, 65537.5, 1",
        "INT16, NaN, 0",
        "INT16, 32768, -32768",
        "INT8, 300.7, 44",
        "INT8, -129, 127",
        "INT8, 1e10, 0",
        "UINT8, 300.7, 44",
        "UINT8, -1.5, 255",
        "UINT8, 4294967297, 1",
        "UINT8, Infinity, 0"
    })
    void aFloatingNumberIsTruncatedAsTheProcessorDoes(DType dtype, double value, long expected) {
        assertThat(Tensors.copyOf(new double[] {value}).to(dtype).item()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"INT8, 200, -56", "UINT8, -1, 255", "INT16, 65535, -1", "INT32, 4294967299, 3", "INT64, -5, -5"})
    void anIntegerWraps(DType dtype, long value, long expected) {
        assertThat(Tensors.of(value).to(dtype).item()).isEqualTo(expected);
    }

    @Test
    void anythingButZeroIsTrue() {
        Tensor numbers = Tensors.copyOf(new double[] {0, -0.0, 0.1, -3, Double.NaN, Double.MIN_VALUE});
        assertThat(numbers.to(DType.BOOL).toBooleanArray()).containsExactly(false, false, true, true, true, true);
        assertThat(Tensors.of(0, 256, -1).to(DType.BOOL).toBooleanArray()).containsExactly(false, true, true);
    }

    @Test
    void aLargeIntegerIsRoundedOnceToFloat() {
        long justPastATie = (1L << 60) + (1L << 36) + 1; // by way of double it would become the tie, and go down
        float expected = (1L << 60) + (1L << 37);
        assertThat(Tensors.of(justPastATie).to(DType.FLOAT32).toFloatArray()).containsExactly(expected);
    }

    @Test
    void float64GoesToFloat16ByWayOfFloat32AndOverflowsToInfinity() {
        Tensor numbers = Tensors.copyOf(new double[] {1 + 0x1p-11 + 0x1p-40, 65520, -1e300, 0x1p-24, 0x1p-25});
        assertThat(numbers.to(DType.FLOAT16).toDoubleArray())
                .containsExactly(1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0x1p-24, 0);
        assertThat(Tensors.of(2049L, 65519L, 65520L).to(DType.FLOAT16).toFloatArray())
                .containsExactly(2048f, 65504f, Float.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @EnumSource
    void smallIntegersSurviveEveryPairOfDtypes(DType from) {
        for (DType to : DType.values()) {
            int count = from == DType.BOOL || to == DType.BOOL ? 2 : 128;
            Tensor numbers = Tensors.arange(count).repeat(20).to(from); // more than one tile of the cast
            assertThat(numbers.to(to).to(DType.INT64).toLongArray())
                    .isEqualTo(Tensors.arange(count).repeat(20).toLongArray());
        }
    }

    @Test
    void aStridedViewIsCast() {
        Tensor view = Tensors.arange(6).reshape(2, 3).t();
        assertThat(view.to(DType.FLOAT64).toDoubleArray()).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(view.to(DType.INT64)).isSameAs(view);
    }
}
