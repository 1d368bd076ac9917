package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DTypeTest {

    @ParameterizedTest
    @EnumSource
    void everyDtypeIsFoundByItsNames(DType dtype) {
        assertThat(DType.of(dtype.torchName())).isEqualTo(dtype);
        assertThat(DType.of("torch." + dtype)).isEqualTo(dtype);
    }

    @ParameterizedTest
    @CsvSource({"float,FLOAT32", "double,FLOAT64", "half,FLOAT16", "short,INT16", "int,INT32", "long,INT64"})
    void aliasesArePyTorchs(String alias, DType dtype) {
        assertThat(DType.of(alias)).isEqualTo(dtype);
    }

    @Test
    void anUnknownNameIsToldTheNine() {
        assertThatThrownBy(() -> DType.of("complex64"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot find dtype: 'complex64'; use one of float32, float64, float16, uint8, int8, int16,"
                        + " int32, int64, bool, bfloat16");
    }

    @Test
    void sizesPastSixtyThreeBitsAreRefused() {
        assertThat(DType.FLOAT64.sizeBytes(1L << 59)).isEqualTo(1L << 62);
        assertThatThrownBy(() -> DType.FLOAT64.sizeBytes(1L << 60)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DType.FLOAT64.sizeBytes(1L << 61)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void halfTheRangeOfALongIsTooMuchForTwoBytes() {
        assertThat(DType.INT16.sizeBytes((1L << 62) - 1)).isEqualTo(Long.MAX_VALUE - 1);
        assertThatThrownBy(() -> DType.INT16.sizeBytes(1L << 62))
                .hasMessage("Cannot size a tensor: 4611686018427387904 elements of int16 pass 2^63 - 1 bytes;"
                        + " use a smaller shape");
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT16, Half, short, u16, 2, true",
        "FLOAT32, Float, float, float, 4, true",
        "FLOAT64, Double, double, double, 8, true",
        "UINT8, Byte, byte, u8, 1, false",
        "INT8, Char, byte, signed char, 1, true",
        "INT16, Short, short, short, 2, true",
        "INT32, Int, int, int, 4, true",
        "INT64, Long, long, long long, 8, true",
        "BOOL, Bool, byte, u8, 1, false",
        "BFLOAT16, BFloat16, short, u16, 2, true"
    })
    void aDtypeHasAFaceInEveryLanguage(DType dtype, String type, String java, String cuda, int bytes, boolean signed) {
        assertThat(dtype.typeName()).isEqualTo(type);
        assertThat(dtype.primitive().javaName()).isEqualTo(java);
        assertThat(dtype.cudaName()).isEqualTo(cuda);
        assertThat(dtype.bytes()).isEqualTo(bytes);
        assertThat(dtype.isSigned()).isEqualTo(signed);
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT32, FLOAT16, true",
        "FLOAT32, INT16, true",
        "FLOAT32, INT32, false",
        "FLOAT64, INT32, true",
        "FLOAT64, INT64, false",
        "FLOAT16, UINT8, true",
        "FLOAT16, INT16, false",
        "FLOAT16, FLOAT32, false",
        "INT16, UINT8, true",
        "INT8, UINT8, false",
        "UINT8, INT8, false",
        "UINT8, BOOL, true",
        "INT64, FLOAT16, false",
        "BOOL, UINT8, false",
        "FLOAT32, BFLOAT16, true",
        "FLOAT16, BFLOAT16, false",
        "BFLOAT16, FLOAT16, false",
        "BFLOAT16, UINT8, true"
    })
    void aDtypeHoldsAnotherWhoseEveryValueIsOneOfIts(DType dtype, DType other, boolean holds) {
        assertThat(dtype.holds(other)).isEqualTo(holds);
        assertThat(dtype.holds(dtype)).isTrue();
    }
}
