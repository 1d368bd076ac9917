package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UlpsTest {
    @Test
    void countsTheStepsOfEachDtype() {
        assertThat(Ulps.between(1.0, Math.nextUp(1.0), DType.FLOAT64)).isEqualTo(1);
        assertThat(Ulps.between(1.0, 1 + 0x1p-22, DType.FLOAT32)).isEqualTo(2);
        assertThat(Ulps.between(1.0, 1 + 0x1p-10, DType.FLOAT16)).isEqualTo(1);
        assertThat(Ulps.between(65504, 65472, DType.FLOAT16)).isEqualTo(1);
        assertThat(Ulps.between(-0.0, 0.0, DType.FLOAT32)).isZero();
        assertThat(Ulps.between(-Double.MIN_VALUE, Double.MIN_VALUE, DType.FLOAT64))
                .isEqualTo(2);
        assertThat(Ulps.between(-Float.MIN_VALUE, Float.MIN_VALUE, DType.FLOAT32))
                .isEqualTo(2);
        assertThat(Ulps.between(-Double.MAX_VALUE, Double.MAX_VALUE, DType.FLOAT64))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsNotFloatingHasNoUnits() {
        assertThatThrownBy(() -> Ulps.between(1, 2, DType.INT32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot count units in the last place: int32 has none");
    }
}
