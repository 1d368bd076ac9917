package io.github.broadloom.expr.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArithTest {
    /** The expected values are the series of erf at zero, summed with 70 digits. */
    @ParameterizedTest
    @CsvSource({
        "1e-300, 1.1283791670955126e-300",
        "1e-08, 1.1283791670955126e-08",
        "0.1, 0.1124629160182849",
        "0.3, 0.3286267594591274",
        "0.5, 0.5204998778130465",
        "0.75, 0.7111556336535151",
        "0.9, 0.7969082124228322",
        "0.999, 0.8422852702064969",
        "1.0, 0.8427007929497149",
        "1.01, 0.8468104962282768",
        "1.25, 0.9229001282564583",
        "1.4999, 0.9660932516622953",
        "1.5, 0.9661051464753108",
        "1.9, 0.9927904292352575",
        "2.2, 0.9981371537020182",
        "2.6, 0.9997639655834707",
        "3.0, 0.9999779095030014",
        "3.3, 0.9999969422902035",
        "3.9, 0.9999999652077514",
        "4.4, 0.999999999510829",
        "5.1, 0.9999999999994507",
        "5.7, 0.9999999999999992",
        "5.99, 1.0",
        "6.0, 1.0",
        "1e300, 1.0",
        "Infinity, 1.0",
        "NaN, NaN"
    })
    void theErrorFunctionIsWithinTwoUnitsOfTheLastPlaceAndOdd(double x, double expected) {
        assertThat((Double) ErrorFunction.erf(x))
                .isCloseTo(expected, within(Double.isNaN(x) ? 0.0 : 2 * Math.ulp(expected)));
        assertThat((Double) ErrorFunction.erf(-x)).isEqualTo((Double) (-ErrorFunction.erf(x)));
    }

    @Test
    void integersDividedByZeroRaisePyTorchsError() {
        for (ThrowingCallable division : List.<ThrowingCallable>of(
                () -> Arith.floorDivide(7, 0),
                () -> Arith.floorDivide(7L, 0L),
                () -> Arith.truncDivide(7, 0),
                () -> Arith.truncDivide(7L, 0L),
                () -> Arith.remainder(-7, 0),
                () -> Arith.remainder(-7L, 0L),
                () -> Arith.fmod(7, 0),
                () -> Arith.fmod(7L, 0L))) {
            assertThatThrownBy(division).isInstanceOf(ArithmeticException.class).hasMessage("ZeroDivisionError");
        }
    }

    @Test
    void theSmallestIntegerDividedByMinusOneIsItself() {
        assertThat(Arith.floorDivide(Integer.MIN_VALUE, -1)).isEqualTo(Integer.MIN_VALUE);
        assertThat(Arith.remainder(Integer.MIN_VALUE, -1)).isZero();
        assertThat(Arith.floorDivide(Long.MIN_VALUE, -1L)).isEqualTo(Long.MIN_VALUE);
        assertThat(Arith.fmod(Long.MIN_VALUE, -1L)).isZero();
    }

    /** The expected columns are Python's {@code a // b} and {@code a % b}. */
    @ParameterizedTest
    @CsvSource({
        "7, 2, 3, 1",
        "-7, 2, -4, 1",
        "7, -2, -4, -1",
        "-7, -2, 3, -1",
        "0.3, 0.1, 2, 0.09999999999999998",
        "-0.3, 0.1, -3, 2.7755575615628914e-17",
        "6, 0.5, 12, 0",
        "1e17, 3, 3.3333333333333332e16, 1"
    })
    void floatingDivisionRoundsDownAsInPython(double a, double b, double quotient, double remainder) {
        assertThat(Arith.floorDivide(a, b)).isEqualTo(quotient);
        assertThat(Arith.remainder(a, b)).isEqualTo(remainder);
    }

    @Test
    void integerPowersWrapAndNegativeExponentsTruncate() {
        assertThat(Arith.pow(3, 4)).isEqualTo(81);
        assertThat(Arith.pow(2, 32)).isZero();
        assertThat(Arith.pow(2, -1)).isZero();
        assertThat(Arith.pow(-1, -3)).isEqualTo(-1);
        assertThat(Arith.pow(1L, -3L)).isEqualTo(1);
        assertThat(Arith.pow(7L, 22L)).isEqualTo(3909821048582988049L);
        assertThat(Arith.pow(0L, 0L)).isEqualTo(1);
    }

    @Test
    void floatingPowersFollowC() {
        assertThat(Arith.pow(1.0, Double.NaN)).isEqualTo(1);
        assertThat(Arith.pow(-1.0, Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(Arith.pow(-8.0, 1 / 3.0)).isNaN();
    }

    @Test
    void theLogarithmToBase2IsExactForEveryPowerOf2() {
        for (int exponent = -1074; exponent < 1024; exponent++) {
            assertThat(SpecialFunctions.log2(Math.scalb(1.0, exponent))).isEqualTo(exponent);
        }
        assertThat(SpecialFunctions.log2(0.0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(SpecialFunctions.log2(-1.0)).isNaN();
        assertThat(SpecialFunctions.log2(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void shiftsPastTheWidthLeaveZeroOrTheSign() {
        assertThat(Arith.leftShift(1, 32)).isZero();
        assertThat(Arith.leftShift(1, -1)).isZero();
        assertThat(Arith.rightShift(-5, 40)).isEqualTo(-1);
        assertThat(Arith.rightShift(5L, 64L)).isZero();
        assertThat(Arith.rightShift(-5L, 1L)).isEqualTo(-3);
    }
}
