package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cvttsd2si} of x86, by its definition: towards zero, and the smallest integer for what does not fit. */
class TruncationTest {

    @ParameterizedTest
    @CsvSource({
        "1.5, 1",
        "-1.5, -1",
        "9223372036854774784, 9223372036854774784",
        "9223372036854775808, -9223372036854775808",
        "-9223372036854775808, -9223372036854775808",
        "-9223372036854774784, -9223372036854774784",
        "1e300, -9223372036854775808",
        "NaN, -9223372036854775808"
    })
    void toSixtyFourBits(double value, long expected) {
        assertThat(Truncation.toInt64(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "7.9, 7",
        "-7.9, -7",
        "2147483647.5, 2147483647",
        "2147483648, -2147483648",
        "-2147483648.5, -2147483648",
        "-2147483649, -2147483648",
        "-2147483647, -2147483647",
        "NaN, -2147483648"
    })
    void toThirtyTwoBits(double value, int expected) {
        assertThat(Truncation.toInt32(value)).isEqualTo(expected);
    }
}
