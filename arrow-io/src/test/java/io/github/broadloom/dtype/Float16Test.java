package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Float16Test {

    /** The value by its definition in IEEE 754: sign, 5 bits of exponent biased by 15, 10 bits of fraction. */
    private static double definition(int bits) {
        int exponent = bits >> 10 & 0x1F;
        int fraction = bits & 0x3FF;
        double magnitude;
        if (exponent == 0x1F) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else {
            magnitude = exponent == 0 ? Math.scalb(fraction, -24) : Math.scalb(1024 + fraction, exponent - 25);
        }
        return (bits & 0x8000) == 0 ? magnitude : -magnitude;
    }

    @Test
    void everyBitPatternHasItsValueAndComesBack() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = Float16.toFloat((short) bits);
            assertThat(Double.valueOf(value)).isEqualTo(Double.valueOf(definition(bits)));
            if (!Float.isNaN(value)) {
                assertThat(Float16.fromFloat(value)).isEqualTo((short) bits);
            }
        }
    }

    @Test
    void aNumberBetweenTwoGoesToTheNearerAndATieToTheEvenOne() {
        for (int bits = 0; bits < 0x7BFF; bits++) {
            double low = definition(bits);
            double high = definition(bits + 1);
            float middle = (float) ((low + high) / 2); // exact: a float has thirteen bits more
            int even = bits % 2 == 0 ? bits : bits + 1;
            assertThat(Float16.fromFloat(middle)).isEqualTo((short) even);
            assertThat(Float16.fromFloat(Math.nextDown(middle))).isEqualTo((short) bits);
            assertThat(Float16.fromFloat(Math.nextUp(middle))).isEqualTo((short) (bits + 1));
            assertThat(Float16.fromFloat(-Math.nextUp(middle))).isEqualTo((short) (bits + 1 | 0x8000));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "65519.99, 0x7BFF",
        "65520, 0x7C00",
        "1e300, 0x7C00",
        "-Infinity, 0xFC00",
        "-0.0, 0x8000",
        "4.9e-324, 0x0000",
        "2.9802322387695312e-8, 0x0000",
        "2.9802326e-8, 0x0001"
    })
    void theEndsOfTheRangeRoundAsIeeeSays(double value, String bits) {
        assertThat(Float16.FORMAT.fromDouble(value)).isEqualTo((short) (int) Integer.decode(bits));
    }

    @Test
    void notANumberStaysSo() {
        assertThat(Float16.toFloat(Float16.FORMAT.fromDouble(Double.NaN))).isNaN();
        assertThat(Float16.toFloat(Float16.fromFloat(Float.intBitsToFloat(0x7F800001))))
                .isNaN();
    }

    @Test
    void aDoubleGoesByWayOfFloatAsInPyTorch() {
        double justPastATie = 1 + 0x1p-11 + 0x1p-40; // as a float it is the tie, and goes down to 1
        assertThat(Float16.FORMAT.fromDouble(justPastATie)).isEqualTo((short) 0x3C00);
    }

    /** Half the gap between two numbers of eleven binary digits, or of the fixed gap below the normal range. */
    private static double halfStep(float a) {
        return Math.abs(a) >= 65520
                ? Double.POSITIVE_INFINITY
                : Math.scalb(0.5, Math.max(Math.getExponent(a), -14) - 10);
    }

    @Test
    void roundingIsMonotonicAndGoesToTheNearest() {
        SplittableRandom random = new SplittableRandom(16);
        for (int i = 0; i < 20_000; i++) {
            float a = (float) (random.nextDouble(-1, 1) * Math.scalb(1.0, random.nextInt(-30, 18)));
            float b = Math.nextUp(a);
            assertThat(Float16.round(a)).isLessThanOrEqualTo(Float16.round(b));
            assertThat((double) Math.abs(Float16.round(a) - a)).isLessThanOrEqualTo(halfStep(a));
        }
    }
}
