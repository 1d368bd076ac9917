package io.github.broadloom.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

class TensorComparisonTest {
    private static final Tolerance EXACT = new Tolerance(0, 0, 0, false);

    @Test
    void aStepMoreThanPermittedIsADifference() {
        float two = Math.nextUp(Math.nextUp(1f));
        assertThat(differs(1.0, two, new Tolerance(2, 0, 0, false))).isFalse();
        assertThat(differs(1.0, two, new Tolerance(1, 0, 0, false))).isTrue();
    }

    @Test
    void anAbsoluteOrRelativeToleranceIsEnough() {
        assertThat(differs(100.0, 100.5f, new Tolerance(0, 0.5, 0, false))).isFalse();
        assertThat(differs(100.0, 100.5f, new Tolerance(0, 0.25, 0.0025, false)))
                .isFalse();
        assertThat(differs(100.0, 100.5f, new Tolerance(0, 0.25, 0.001, false))).isTrue();
    }

    @Test
    void nanEqualsNanAndNothingElse() {
        assertThat(differs(Double.NaN, Float.NaN, EXACT)).isFalse();
        assertThat(differs(Double.NaN, 1f, new Tolerance(1e9, 1e9, 1e9, false))).isTrue();
        assertThat(differs(1.0, Float.NaN, new Tolerance(1e9, 1e9, 1e9, false))).isTrue();
    }

    @Test
    void infinityIsNotOneStepFromTheLargest() {
        assertThat(differs(Double.POSITIVE_INFINITY, Float.MAX_VALUE, new Tolerance(4, 0, 0, false)))
                .isTrue();
        assertThat(differs(Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, new Tolerance(4, 1, 1, false)))
                .isTrue();
        assertThat(differs(Double.POSITIVE_INFINITY, Float.POSITIVE_INFINITY, EXACT))
                .isFalse();
    }

    @Test
    void theSignOfAZeroCountsOnlyWhereItIsAsked() {
        assertThat(differs(0.0, -0f, EXACT)).isFalse();
        assertThat(differs(0.0, -0f, new Tolerance(0, 0, 0, true))).isTrue();
        assertThat(differs(-0.0, -0f, new Tolerance(0, 0, 0, true))).isFalse();
    }

    @Test
    void integersBeyondDoublesAreExact() {
        Tensor got = Tensors.of(9007199254740993L);
        TensorComparison near = new TensorComparison(
                DType.INT64, Shape.of(1), List.of(9007199254740992L), new Tolerance(5, 5, 5, false));
        assertThat(near.difference(got)).isPresent();
    }

    private static boolean differs(double expected, float got, Tolerance tolerance) {
        return new TensorComparison(DType.FLOAT32, Shape.of(1), List.of(expected), tolerance)
                .difference(Tensors.of(got))
                .isPresent();
    }
}
