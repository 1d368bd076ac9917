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
                        + " int32, int64, bool");
    }

    @Test
    void sizesPastSixtyThreeBitsAreRefused() {
        assertThat(DType.FLOAT64.sizeBytes(1L << 59)).isEqualTo(1L << 62);
        assertThatThrownBy(() -> DType.FLOAT64.sizeBytes(1L << 60)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DType.FLOAT64.sizeBytes(1L << 61)).isInstanceOf(IllegalArgumentException.class);
    }
}
