package io.github.broadloom.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BroadcastingTest {

    static Stream<Named<JsonNode>> shapes() {
        return Stream.of("seed.jsonl", "broadcast_shapes.jsonl")
                .flatMap(file -> Golden.lines(file, "broadcast_shapes"));
    }

    static Stream<Named<JsonNode>> warnings() {
        return Golden.lines("seed.jsonl", "broadcast_warning");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theCommonShapeOrTheTextIsPyTorchs(JsonNode line) {
        Shape[] shapes = StreamSupport.stream(line.get("shapes").spliterator(), false)
                .map(sizes -> Shape.of(Golden.longs(sizes)))
                .toArray(Shape[]::new);
        if (line.has("error")) {
            assertThatThrownBy(() -> Broadcasting.broadcastShapes(shapes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(line.get("error").asText());
        } else {
            assertThat(Broadcasting.broadcastShapes(shapes)).isEqualTo(Shape.of(Golden.longs(line.get("expect"))));
        }
    }

    @ParameterizedTest
    @MethodSource("warnings")
    void theLegacyWarningIsDueWhereTheNotesSaySo(JsonNode line) {
        Shape a = Shape.of(Golden.longs(line.get("a")));
        Shape b = Shape.of(Golden.longs(line.get("b")));
        assertThat(Broadcasting.warnsOfLegacyBroadcast(a, b))
                .isEqualTo(line.get("expect").booleanValue());
    }

    @Test
    void aLeadingOneIsEnoughForTheLegacyWarning() {
        assertThat(Broadcasting.warnsOfLegacyBroadcast(Shape.of(1, 2, 3), Shape.of(2, 3)))
                .isTrue();
        assertThat(Broadcasting.warnsOfLegacyBroadcast(Shape.of(2, 3), Shape.of(2, 3)))
                .isFalse();
    }

    @Test
    void noShapesGiveTheScalar() {
        assertThat(Broadcasting.broadcastShapes()).isEqualTo(Shape.SCALAR);
    }

    @Test
    void partsOfAShapeBroadcastBackToItInAnyOrder() {
        Shapes random = new Shapes(7);
        for (int i = 0; i < 2_000; i++) {
            Shape whole = random.shape(5, 4);
            Shape part = random.broadcastableTo(whole);
            assertThat(Broadcasting.broadcastShapes(whole, part)).isEqualTo(whole);
            assertThat(Broadcasting.broadcastShapes(part, whole, part)).isEqualTo(whole);
            assertThat(Layout.contiguous(part).expand(whole).shape()).isEqualTo(whole);
        }
    }

    @Test
    void anExpandedDimensionHasStrideZero() {
        Layout expanded = Layout.contiguous(Shape.of(3, 1)).expand(2, -1, 4);
        assertThat(expanded).isEqualTo(Layout.of(Shape.of(2, 3, 4), new long[] {0, 1, 0}, 0));
    }

    @Test
    void aNewDimensionOfSizeOneHasTheStrideThatPyTorchGivesIt() {
        assertThat(Layout.contiguous(Shape.of(3)).expand(1, 1, 3).strides()).containsExactly(3, 3, 1);
        assertThat(Layout.contiguous(Shape.of(3, 4)).expand(5, 1, 3, 4).strides())
                .containsExactly(0, 12, 4, 1);
        assertThat(Layout.contiguous(Shape.of(3)).expand(1, 0, 3).strides()).containsExactly(0, 0, 1);
        assertThat(Layout.contiguous(Shape.SCALAR).expand(1, 1).strides()).containsExactly(0, 0);
    }

    @Test
    void toItsOwnShapeALayoutIsNotExpandedAtAll() {
        Layout layout = Layout.of(Shape.of(1, 3), new long[] {7, 2}, 5);
        assertThat(layout.expand(Shape.of(1, 3))).isSameAs(layout);
    }

    @Test
    void expandRefusesWhatItCannotRepeat() {
        Layout layout = Layout.contiguous(Shape.of(3, 2));
        assertThatThrownBy(() -> layout.expand(-1, 3, 2))
                .hasMessage(
                        "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0");
        assertThatThrownBy(() -> layout.expand(2))
                .hasMessageEndingWith(
                        "the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor"
                                + " (2)");
        assertThatThrownBy(() -> Layout.contiguous(Shape.of(1)).expand(-2))
                .hasMessage("numel: integer multiplication overflow");
    }
}
