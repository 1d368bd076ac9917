package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits as {@code repr} prints them in PyTorch 2.13, and promotion as users call it. */
class LimitsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "BFLOAT16; finfo(resolution=0.01, min=-3.38953e+38, max=3.38953e+38, eps=0.0078125, smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=bfloat16)",
                "FLOAT16; finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, smallest_normal=6.10352e-05, tiny=6.10352e-05, dtype=float16)",
                "FLOAT32; finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)",
                "FLOAT64; finfo(resolution=1e-15, min=-1.79769e+308, max=1.79769e+308, eps=2.22045e-16, smallest_normal=2.22507e-308, tiny=2.22507e-308, dtype=float64)"
            })
    void floatingLimitsPrintAsInPyTorch(DType dtype, String text) {
        assertThat(FloatInfo.of(dtype)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "UINT8; iinfo(min=0, max=255, dtype=uint8)",
                "INT8; iinfo(min=-128, max=127, dtype=int8)",
                "INT16; iinfo(min=-32768, max=32767, dtype=int16)",
                "INT32; iinfo(min=-2.14748e+09, max=2.14748e+09, dtype=int32)",
                "INT64; iinfo(min=-9.22337e+18, max=9.22337e+18, dtype=int64)"
            })
    void integerLimitsPrintAsInPyTorch(DType dtype, String text) {
        assertThat(IntInfo.of(dtype)).hasToString(text);
    }

    @Test
    void promotionTakesTensorsAndPlainNumbers() {
        assertThat(Promotion.resultType(Tensors.of(1, 2), 2.5)).isEqualTo(DType.FLOAT32);
        assertThat(Promotion.resultType(Tensors.of(1, 2).to(DType.INT8), Tensors.scalar(7)))
                .isEqualTo(DType.INT8);
        assertThat(Promotion.resultType(Tensors.of(1, 2).to(DType.INT8), Tensors.of(7)))
                .isEqualTo(DType.INT64);
        assertThat(Promotion.resultType(true, 3)).isEqualTo(DType.INT64);
        assertThatThrownBy(() -> Promotion.resultType("1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTensorTellsWhetherItIsFloating() {
        assertThat(Tensors.of(1f).isFloatingPoint()).isTrue();
        assertThat(Tensors.of(1).isFloatingPoint()).isFalse();
    }
}
