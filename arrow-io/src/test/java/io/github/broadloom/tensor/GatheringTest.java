package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GatheringTest {
    private static final long[] PLACES = {2, 0, 2, 1, 3, 0};

    /** The places [2, 1], [0, 3], [2, 0]. */
    private static Tensor places() {
        return Tensors.copyOf(PLACES, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void elementsOfEveryWidthAreRead(DType dtype) {
        Tensor source = Tensors.of(0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0).to(dtype).view(3, 4);
        Tensor got = Gathering.at(source, places());
        assertThat(got.dtype()).isEqualTo(dtype);
        assertThat(got.to(DType.INT64).toLongArray()).containsExactly(1, 1, 0);
    }

    @Test
    void coordinatesOfTheLeadingDimensionsGiveBlocks() {
        Tensor source = Tensors.arange(24).view(3, 4, 2);
        assertThat(Gathering.at(source, places()).toLongArray()).containsExactly(18, 19, 6, 7, 16, 17);
        assertThat(Gathering.at(source.permute(1, 0, 2), Tensors.copyOf(new long[] {1, 3}, 1, 2))
                        .select(0, 1)
                        .toLongArray())
                .containsExactly(6, 7, 14, 15, 22, 23);
    }

    @Test
    void anExpandedTensorIsReadInPlace() {
        Tensor expanded = Tensors.of(5, 6).expand(1L << 40, 2);
        Tensor coordinates = Tensors.copyOf(new long[] {(1L << 40) - 1, 7, 1, 0}, 2, 2);
        assertThat(Gathering.at(expanded, coordinates).toLongArray()).containsExactly(6, 5);
    }

    @Test
    void rowsMayRepeat() {
        Tensor source = Tensors.arange(6).view(3, 2);
        assertThat(Gathering.rows(source, Tensors.of(2L, 2L, 0L)).toLongArray()).containsExactly(4, 5, 4, 5, 0, 1);
        assertThat(Gathering.rows(source, Tensors.of(new long[0])).shape()).isEqualTo(Shape.of(0, 2));
    }

    @Test
    void valuesAreAddedOneAfterTheOther() {
        Tensor target = Tensors.arange(12).view(3, 4);
        Tensor twice = Tensors.copyOf(new long[] {1, 1, 0, 0}, 2, 2);
        Gathering.addAt(target, twice, Tensors.of(100, 1000));
        assertThat(target.toLongArray()).containsExactly(0, 1, 2, 3, 1104, 5, 6, 7, 8, 9, 10, 11);
        Gathering.addAt(
                target,
                Tensors.copyOf(new long[] {2}, 1, 1),
                Tensors.of(1, 1, 1, 1).view(1, 4));
        assertThat(target.select(0, 2).toLongArray()).containsExactly(9, 10, 11, 12);
    }

    @Test
    void aCoordinateOutsideIsRefused() {
        Tensor source = Tensors.zeros(3, 3);
        assertThatThrownBy(() -> Gathering.at(source, places()))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 3 is out of bounds for dimension 1 with size 3");
        assertThatThrownBy(() -> Gathering.rows(source, Tensors.of(-1L)))
                .hasMessage("index -1 is out of bounds for dimension 0 with size 3");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Tensor target = Tensors.zeros(3, 4);
        assertThatThrownBy(() -> Gathering.addAt(target, places(), Tensors.of(1, 2, 3)))
                .hasMessage("Cannot add values at coordinates: int64[3] to float32[3, 4]; give float32[3] and a"
                        + " contiguous target");
        assertThatThrownBy(() -> Gathering.at(target, Tensors.zeros(2, 3)))
                .hasMessage("Cannot look up coordinates: float32[2, 3] for a tensor of 2 dimensions; give int64"
                        + " [dimensions, places]");
    }
}
