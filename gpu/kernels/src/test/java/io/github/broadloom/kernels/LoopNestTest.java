package io.github.broadloom.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopNestTest {
    private static Layout contiguous(long... sizes) {
        return Layout.contiguous(Shape.of(sizes));
    }

    private static LoopNest nest(Layout output, Layout... operands) {
        return LoopNest.of(output, List.of(operands));
    }

    @Test
    void contiguousOperandsNeedOneLoop() {
        LoopNest nest = nest(contiguous(2, 3, 4), contiguous(2, 3, 4), contiguous());
        assertThat(nest).hasToString("[24]");
    }

    @Test
    void dimensionsJoinOnlyWhereEveryOperandAgrees() {
        LoopNest nest = nest(contiguous(512, 3, 224, 224), contiguous(512, 3, 224, 224), contiguous(3, 1, 1));
        assertThat(nest).hasToString("[512, 3, 50176]");
        assertThat(nest.stride(1, 0)).isZero();
        assertThat(nest.stride(1, 1)).isOne();
    }

    @Test
    void sizeOneDimensionsAreDropped() {
        assertThat(nest(contiguous(1, 5, 1, 6, 1), contiguous(5, 1, 6, 1))).hasToString("[30]");
    }

    @Test
    void loopsFollowTheStridesOfTheOutput() {
        LoopNest nest = nest(contiguous(5, 4).t(), contiguous(5, 4).t());
        assertThat(nest).hasToString("[20]");
    }

    @Test
    void aScalarHasNoLoop() {
        assertThat(nest(contiguous(), contiguous()).rank()).isZero();
    }
}
