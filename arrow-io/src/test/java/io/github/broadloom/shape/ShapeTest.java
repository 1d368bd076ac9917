package io.github.broadloom.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {

    @Test
    void aScalarHasOneElement() {
        assertThat(Shape.SCALAR.numel()).isEqualTo(1);
        assertThat(Shape.of()).isEqualTo(Shape.SCALAR).hasToString("[]");
    }

    @Test
    void sizesAreCopiedInAndOut() {
        long[] sizes = {2, 3};
        Shape shape = Shape.of(sizes);
        sizes[0] = 7;
        shape.toArray()[1] = 7;
        assertThat(shape)
                .isEqualTo(Shape.of(2, 3))
                .hasSameHashCodeAs(Shape.of(2, 3))
                .hasToString("[2, 3]");
    }

    @Test
    void shapesDifferWhereOneSizeDoes() {
        Set<Shape> shapes = Set.of(Shape.SCALAR, Shape.of(2), Shape.of(3), Shape.of(2, 3), Shape.of(3, 2));
        assertThat(shapes).hasSize(5).contains(Shape.of(3, 2)).doesNotContain(Shape.of(2, 2), Shape.of(1));
        assertThat(shapes.stream().map(Shape::hashCode).distinct()).hasSizeGreaterThan(1);
        assertThat(Shape.of(2)).isNotEqualTo(List.of(2L));
    }

    @Test
    void allScalarsAreOne() {
        assertThat(Shape.of()).isSameAs(Shape.SCALAR);
    }

    @Test
    void oneDimensionIsReplacedOrDropped() {
        Shape shape = Shape.of(2, 3, 4);
        assertThat(shape.with(1, 5)).isEqualTo(Shape.of(2, 5, 4));
        assertThat(shape.without(1)).isEqualTo(Shape.of(2, 4));
        assertThat(shape.inner()).isEqualTo(Shape.of(3, 4));
        assertThat(shape.numel()).isEqualTo(24);
    }

    @Test
    void aProductPastSixtyThreeBitsIsRefused() {
        assertThat(Shape.of(1L << 31, 1L << 31).numel()).isEqualTo(1L << 62);
        assertThat(Shape.of(1L << 40, 0).numel()).isZero();
        for (long[] sizes :
                new long[][] {{1L << 40, 1L << 40}, {1L << 62, 2}, {1L << 62, 4}, {1L << 40, 0, 1L << 40}}) {
            assertThatThrownBy(() -> Shape.of(sizes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Storage size calculation overflowed with sizes=[");
        }
    }

    @Test
    void aNegativeSizeIsRefused() {
        assertThatThrownBy(() -> Shape.of(2, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Trying to create tensor with negative dimension -1: [2, -1]");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "-1,1", "-2,0"})
    void dimensionsCountFromEitherEnd(int dim, int normal) {
        assertThat(Shape.of(4, 5).normalizeDim(dim)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, -3, 2, Integer.MIN_VALUE})
    void aDimensionOutOfRangeHasPyTorchsText(int dim) {
        assertThatThrownBy(() -> Shape.of(4, 5).normalizeDim(dim))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension out of range (expected to be in range of [-2, 1], but got " + dim + ")");
    }

    @Test
    void aScalarTakesDimensionZeroAndMinusOne() {
        assertThat(Shape.SCALAR.normalizeDim(-1)).isZero();
        assertThatThrownBy(() -> Shape.SCALAR.normalizeDim(1))
                .hasMessage("Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    }

    @Test
    void dimensionsAreTakenAndPutBehindOthers() {
        Shape shape = Shape.of(2, 3, 4);
        assertThat(shape.dims(1, 3)).isEqualTo(Shape.of(3, 4));
        assertThat(shape.dims(0, 0)).isEqualTo(Shape.SCALAR);
        assertThat(shape.dims(2, 3).concat(shape.dims(0, 1))).isEqualTo(Shape.of(4, 2));
        assertThat(Shape.SCALAR.concat(shape)).isEqualTo(shape);
    }
}
