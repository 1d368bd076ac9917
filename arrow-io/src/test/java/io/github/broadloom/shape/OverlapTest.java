package io.github.broadloom.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OverlapTest {
    private static final Layout MATRIX = Layout.contiguous(Shape.of(5, 7));

    private static Set<Long> places(Layout layout) {
        Set<Long> places = new HashSet<>();
        long[] index = new long[layout.rank()];
        long numel = layout.shape().numel();
        for (long i = 0; i < numel; i++) {
            places.add(layout.elementOffset(index));
            for (int dim = index.length - 1; dim >= 0; dim--) {
                if (++index[dim] < layout.shape().size(dim)) {
                    break;
                }
                index[dim] = 0;
            }
        }
        return places;
    }

    @Test
    void layoutsThatAreCalledApartShareNoPlace() {
        Shapes random = new Shapes(7);
        int apart = 0;
        int disjoint = 0;
        for (int i = 0; i < 20_000; i++) {
            Layout whole = Layout.contiguous(random.shape(4, 5));
            Layout a = random.views(whole);
            Layout b = random.views(whole);
            Set<Long> shared = places(a);
            shared.retainAll(places(b));
            if (Overlap.areApart(a, b)) {
                assertThat(shared).as("%s and %s", a, b).isEmpty();
                apart++;
            }
            disjoint += shared.isEmpty() ? 1 : 0;
        }
        assertThat(apart).isGreaterThan(disjoint * 95 / 100); // cautious, but seldom without need
    }

    @Test
    void rowsColumnsAndInterleavedSlicesAreApart() {
        assertThat(Overlap.areApart(MATRIX.select(0, 1), MATRIX.select(0, 2))).isTrue();
        assertThat(Overlap.areApart(MATRIX.select(1, 1), MATRIX.select(1, 2))).isTrue();
        assertThat(Overlap.areApart(MATRIX.slice(1, Slice.of(0, 3)), MATRIX.slice(1, Slice.of(3, 7))))
                .isTrue();
        assertThat(Overlap.areApart(MATRIX.slice(1, 0L, null, 2), MATRIX.slice(1, 1L, null, 2)))
                .isTrue();
        assertThat(Overlap.areApart(MATRIX.slice(0, 0L, null, 2), MATRIX.slice(0, 1L, null, 2)))
                .isTrue();
    }

    @Test
    void neighboursThatMeetInOnePlaceAreNotApart() {
        assertThat(Overlap.areApart(MATRIX.select(0, 1), MATRIX.select(1, 2))).isFalse();
        assertThat(Overlap.areApart(MATRIX.slice(0, Slice.of(0, 3)), MATRIX.slice(0, Slice.of(2, 5))))
                .isFalse();
    }

    @Test
    void whatHasNoElementIsApartFromEverything() {
        assertThat(Overlap.areApart(MATRIX.slice(0, Slice.of(2, 2)), MATRIX)).isTrue();
    }

    @Test
    void anExpandedTargetIsRefusedAndOneOfSizeOneIsNot() {
        assertThatThrownBy(() -> Overlap.requireDistinctElements(
                        Layout.contiguous(Shape.of(1)).expand(3)))
                .hasMessage("unsupported operation: more than one element of the written-to tensor refers to a single"
                        + " memory location. Please clone() the tensor before performing the operation.");
        Overlap.requireDistinctElements(Layout.of(Shape.of(1, 2), new long[] {0, 1}, 0));
        Overlap.requireDistinctElements(Layout.of(Shape.of(3, 0), new long[] {0, 1}, 0));
    }
}
