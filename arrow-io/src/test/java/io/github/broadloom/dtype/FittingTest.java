package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which plain numbers PyTorch converts to a dtype: {@code torch.zeros(1, dtype=…).fill_(number)}. */
class FittingTest {

    private static Object number(String text) {
        return text.matches("-?\\d+") ? (Object) Long.valueOf(text) : (Object) Double.valueOf(text);
    }

    @ParameterizedTest
    @CsvSource({
        "UINT8, 255",
        "UINT8, -255",
        "UINT8, 255.0",
        "UINT8, 0.0",
        "UINT8, 127.9",
        "INT8, 127",
        "INT8, -128",
        "INT8, -128.0",
        "INT8, 126.9",
        "INT16, 32767",
        "INT32, -2147483648",
        "INT64, 9223372036854775807",
        "INT64, -9223372036854775808",
        "INT64, 9223372036854775808.0",
        "INT64, -9223372036854775808.0",
        "FLOAT16, 65504",
        "FLOAT16, -65504.0",
        "FLOAT16, Infinity",
        "FLOAT16, -Infinity",
        "FLOAT16, NaN",
        "BFLOAT16, 3.3895313892515355e38",
        "FLOAT32, 3.4028234663852886e38",
        "FLOAT64, 1.7976931348623157e308",
        "BOOL, 1e300",
        "BOOL, -7",
        "BOOL, NaN"
    })
    void whatTheDtypeHoldsIsTaken(DType dtype, String text) {
        assertThatCode(() -> Fitting.check(dtype, number(text))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "UINT8, 256, uint8_t",
        "UINT8, -256, uint8_t",
        "UINT8, 255.9, uint8_t",
        "UINT8, -0.5, uint8_t",
        "UINT8, NaN, uint8_t",
        "INT8, 128, int8_t",
        "INT8, -129, int8_t",
        "INT8, 127.9, int8_t",
        "INT8, -128.9, int8_t",
        "INT16, 32768, int16_t",
        "INT32, 2147483648, int",
        "INT32, 2147483647.5, int",
        "INT32, -2147483649, int",
        "INT64, 9223372036854777856.0, int64_t",
        "INT64, -9223372036854777856.0, int64_t",
        "INT64, NaN, int64_t",
        "INT64, Infinity, int64_t",
        "FLOAT16, 65505, c10::Half",
        "FLOAT16, -70000.0, c10::Half",
        "BFLOAT16, 3.4e38, c10::BFloat16",
        "FLOAT32, 3.5e38, float",
        "FLOAT32, -3.5e38, float"
    })
    void whatItCannotHoldIsRefusedWithTheNameInC(DType dtype, String text, String name) {
        assertThatThrownBy(() -> Fitting.check(dtype, number(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value cannot be converted to type " + name + " without overflow");
    }

    @Test
    void aFloatIsAFloatingNumberTooAndATruthValueAlwaysFits() {
        assertThatThrownBy(() -> Fitting.check(DType.UINT8, -1f)).isInstanceOf(IllegalArgumentException.class);
        assertThatCode(() -> Fitting.check(DType.UINT8, true)).doesNotThrowAnyException();
    }
}
