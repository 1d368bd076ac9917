package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryLimitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "1k, 1024",
        "512m, 536870912",
        "2G, 2147483648",
        "3 MiB, 3145728",
        "1tb, 1099511627776"
    })
    void sizesAreBytesOrHaveAUnit(String text, long bytes) {
        assertThat(MemoryLimits.bytes("size", text)).isEqualTo(bytes);
    }

    @Test
    void moreThanALongHoldsIsAllThereIs() {
        assertThat(MemoryLimits.bytes("size", "999999999999999t")).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1", "1.5g", "2 x"})
    void whatIsNoSizeIsRefusedByName(String text) {
        assertThatThrownBy(() -> MemoryLimits.bytes("broadloom.memory.pool", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use broadloom.memory.pool: '" + text
                        + "' is no size; give bytes, or a size such as 512m or 2g");
    }
}
