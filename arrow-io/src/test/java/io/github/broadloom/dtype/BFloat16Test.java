package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BFloat16Test {

    /** The value by its definition: sign, 8 bits of exponent biased by 127, 7 bits of fraction. */
    private static double definition(int bits) {
        int exponent = bits >> 7 & 0xFF;
        int fraction = bits & 0x7F;
        double magnitude;
        if (exponent == 0xFF) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else {
            magnitude = exponent == 0 ? Math.scalb(fraction, -133) : Math.scalb(128 + fraction, exponent - 134);
        }
        return (bits & 0x8000) == 0 ? magnitude : -magnitude;
    }

    @Test
    void everyBitPatternHasItsValueAndComesBack() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = BFloat16.toFloat((short) bits);
            assertThat(Double.valueOf(value)).isEqualTo(Double.valueOf(definition(bits)));
            if (!Float.isNaN(value)) {
                assertThat(BFloat16.fromFloat(value)).isEqualTo((short) bits);
            }
        }
    }

    @Test
    void aNumberBetweenTwoGoesToTheNearerAndATieToTheEvenOne() {
        for (int bits = 0; bits < 0x7F7F; bits++) {
            float middle = (float) ((definition(bits) + definition(bits + 1)) / 2); // exact
            int even = bits % 2 == 0 ? bits : bits + 1;
            assertThat(BFloat16.fromFloat(middle)).isEqualTo((short) even);
            assertThat(BFloat16.fromFloat(Math.nextDown(middle))).isEqualTo((short) bits);
            assertThat(BFloat16.fromFloat(Math.nextUp(middle))).isEqualTo((short) (bits + 1));
            assertThat(BFloat16.fromFloat(-Math.nextUp(middle))).isEqualTo((short) (bits + 1 | 0x8000));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.3895313892515355e38, 0x7F7F",
        "3.3961775292304e38, 0x7F80",
        "3.4028234663852886e38, 0x7F80",
        "-Infinity, 0xFF80",
        "-0.0, 0x8000",
        "1e-45, 0x0000",
        "NaN, 0x7FC0"
    })
    void theEndsOfTheRangeRoundAsIeeeSays(float value, String bits) {
        assertThat(BFloat16.fromFloat(value)).isEqualTo((short) (int) Integer.decode(bits));
    }
}
