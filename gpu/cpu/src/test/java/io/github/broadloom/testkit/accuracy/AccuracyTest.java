package io.github.broadloom.testkit.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.testkit.accuracy.Accuracy.Range;
import io.github.broadloom.testkit.accuracy.Accuracy.Row;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;

class AccuracyTest {
    static Stream<Arguments> thirds() {
        return Stream.of(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64)
                .flatMap(dtype -> IntStream.range(0, 3).mapToObj(third -> Arguments.of(dtype, third)));
    }

    /** A million float32 arguments or pairs from all strata, every float16, and doubles against many digits. */
    @SomeOf(value = "thirds", oneIn = 3)
    void everyOperationIsWithinItsUlp(DType dtype, int third) {
        Accuracy accuracy = new Accuracy(dtype, Range.SAMPLE, Device.CPU);
        List<Op> ops = accuracy.measurable();
        assertThat(ops).hasSizeGreaterThan(40);
        assertThat(IntStream.range(0, ops.size())
                        .filter(i -> i % 3 == third)
                        .mapToObj(i -> accuracy.measure(ops.get(i), () -> {})))
                .allSatisfy(row -> assertThat(row.isWithin()).as(row.toString()).isTrue());
    }

    /** So that no float64 kernel, which is the reference of the narrower ones, stands for itself. */
    @Test
    void everyFunctionThatRoundsHasAReferenceOfManyDigits() {
        assertThat(Measure.measurable(1).stream().filter(op -> op.ulp() > 0).map(Op::name))
                .allMatch(References::hasUnary);
        assertThat(Measure.measurable(2).stream().filter(op -> op.ulp() > 0).map(Op::name))
                .allMatch(References::hasBinary);
    }

    /**
     * The expected values are those of the NIST Digital Library of Mathematical Functions and of mpmath with 50 digits.
     */
    @ParameterizedTest
    @CsvSource({
        "erfc, 3, 2.2090496998585441372776129582320381e-5",
        "erfc, 27, 5.2370489237892557e-319",
        "erf, 0.5, 0.52049987781304653768274665389196452873645157575796",
        "lgamma, 0.5, 0.57236494292470008707171367567652935582364740645766",
        "lgamma, 3.25, 0.93580193110872523437",
        "lgamma, -2.5, -0.056243716497674056178",
        "sinc, 1.5, -0.21220659078919378103",
        "gelu, -10, -7.619853024160526066e-23",
    })
    void theReferencesThatTheLibraryDoesNotHaveAreRight(String op, double argument, double expected) {
        double got = References.unary(op, argument).orElseThrow().doubleValue();
        assertThat(got).isCloseTo(expected, within(4 * Math.ulp(expected)));
    }

    @Test
    void anErrorIsCountedInStepsOfTheDtype() {
        assertThat(new Row("exp", new Worst(3, "1.0"), 2).isWithin()).isFalse();
        assertThat(new Row("exp", new Worst(3, "1.0"), 2).toString())
                .isEqualTo("exp                       3            2  1.0  EXCEEDED");
    }

    @Test
    void theStrataReachEveryExponentAndBothSigns() {
        boolean[] seen = new boolean[512];
        for (float value : Samples.floats(1 << 12, 1)) {
            seen[Float.floatToRawIntBits(value) >>> 23] = true;
        }
        assertThat(seen).doesNotContain(false);
    }

    @Test
    void whatCannotBeMeasuredIsRefused() {
        assertThatThrownBy(() -> new Accuracy(DType.FLOAT64, Range.ALL, Device.CPU))
                .hasMessageContaining("2^64");
        assertThatThrownBy(() -> new Accuracy(DType.INT32, Range.SAMPLE, Device.CPU))
                .hasMessageContaining("it is exact");
        assertThatThrownBy(() -> new Accuracy(DType.FLOAT32, Range.ALL, Device.CPU).checked("pow"))
                .hasMessageStartingWith("Cannot measure pow in float32 at all arguments");
        assertThatThrownBy(() -> new Accuracy(DType.FLOAT32, Range.SAMPLE, Device.CPU).checked("expp"))
                .hasMessageContaining("did you mean 'exp'?");
    }
}
