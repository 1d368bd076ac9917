package io.github.broadloom.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Layout CUBE = Layout.contiguous(Shape.of(2, 3, 4));

    /** The places of all elements in row-major order, by {@link Layout#elementOffset}. */
    private static List<Long> places(Layout layout) {
        List<Long> places = new ArrayList<>();
        long[] index = new long[layout.rank()];
        for (long n = 0; n < layout.shape().numel(); n++) {
            long rest = n;
            for (int dim = layout.rank() - 1; dim >= 0; dim--) {
                index[dim] = rest % layout.shape().size(dim);
                rest /= layout.shape().size(dim);
            }
            places.add(layout.elementOffset(index));
        }
        return places;
    }

    private static Layout randomView(Shapes random) {
        return random.views(Layout.contiguous(random.shape(4, 5)));
    }

    @Test
    void aContiguousLayoutCountsUp() {
        assertThat(CUBE.strides()).containsExactly(12, 4, 1);
        assertThat(places(CUBE)).startsWith(0L, 1L, 2L, 3L).endsWith(23L).hasSize(24);
    }

    @Test
    void viewsComposeIntoOneLayout() {
        Layout view = CUBE.select(0, 1).slice(1, 1L, null, 2).t();
        assertThat(view).isEqualTo(Layout.of(Shape.of(2, 3), new long[] {2, 4}, 13));
    }

    @Test
    void windowsOverlap() {
        Layout windows = Layout.contiguous(Shape.of(6)).unfold(0, 3, 1);
        assertThat(windows).isEqualTo(Layout.of(Shape.of(4, 3), new long[] {1, 1}, 0));
        assertThat(windows.mayOverlapItself()).isTrue();
        assertThat(Layout.contiguous(Shape.of(6)).unfold(0, 3, 3).mayOverlapItself())
                .isFalse();
        assertThat(Layout.contiguous(Shape.SCALAR).unfold(0, 1, 1).shape()).isEqualTo(Shape.of(1));
    }

    @Test
    void aWindowOfNothingAndAWindowOfAScalarHavePyTorchsStrides() {
        assertThat(CUBE.unfold(1, 0, 1)).isEqualTo(Layout.of(Shape.of(2, 4, 4, 0), new long[] {12, 4, 1, 4}, 0));
        assertThat(CUBE.unfold(2, 1, 2)).isEqualTo(Layout.of(Shape.of(2, 3, 2, 1), new long[] {12, 4, 2, 1}, 0));
        Layout scalar = Layout.contiguous(Shape.SCALAR);
        assertThat(scalar.unfold(0, 1, 5)).isEqualTo(Layout.of(Shape.of(1), new long[] {1}, 0));
        assertThat(scalar.unfold(-1, 0, 1)).isEqualTo(Layout.of(Shape.of(0), new long[] {1}, 0));
        assertIllegal(() -> scalar.unfold(0, 2, 1), "maximum size for tensor at dimension 0 is 1 but size is 2");
    }

    @Test
    void indicesMayCountFromTheEnd() {
        assertThat(CUBE.elementOffset(-1, -3, -4)).isEqualTo(12);
        assertThat(CUBE.elementOffset(-2, -1, 3)).isEqualTo(11);
        assertThat(CUBE.narrow(1, -2, 2)).isEqualTo(Layout.of(Shape.of(2, 2, 4), new long[] {12, 4, 1}, 4));
        assertThat(CUBE.narrow(1, -3, 3)).isEqualTo(CUBE);
        assertThat(CUBE.narrow(1, 3, 0).shape()).isEqualTo(Shape.of(2, 0, 4));
        assertThat(CUBE.select(2, -4)).isEqualTo(Layout.of(Shape.of(2, 3), new long[] {12, 4}, 0));
    }

    @Test
    void anEmptyLayoutTakesAnyEmptyShapeAndKeepsItsStridesInItsOwn() {
        Layout empty = Layout.contiguous(Shape.of(3, 0)).t(); // strides 1, 1, as torch.zeros(3, 0).t() has
        assertThat(empty.view(0, 3)).isEqualTo(empty);
        assertThat(empty.view(0, 1, 3).strides()).containsExactly(3, 3, 1);
        assertThat(empty.view(5, 0).strides()).containsExactly(1, 1);
        assertThat(empty.view(-1, 3).shape()).isEqualTo(Shape.of(0, 3));
        assertIllegal(() -> empty.view(3), "shape '[3]' is invalid for input of size 0");
        assertIllegal(
                () -> empty.view(0, -1),
                "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be"
                        + " any value and is ambiguous");
    }

    @Test
    void sizesThatDoNotFitHavePyTorchsText() {
        for (long[] sizes : new long[][] {
            {2, 3}, {0}, {5, -1}, {-1, 0}, {1L << 62, 4, -1}, {1L << 62, 2, -1}, {1L << 32, 1L << 32, 24}, {48}
        }) {
            assertIllegal(
                    () -> CUBE.view(sizes), "shape '" + Arrays.toString(sizes) + "' is invalid for input of size 24");
        }
    }

    @Test
    void oneElementOrNoneCannotOverlap() {
        assertThat(Layout.of(Shape.of(1, 1), new long[] {0, 0}, 3).mayOverlapItself())
                .isFalse();
        assertThat(Layout.of(Shape.of(4, 0), new long[] {0, 0}, 3).mayOverlapItself())
                .isFalse();
        assertThat(Layout.of(Shape.of(1, 3), new long[] {0, 1}, 0).mayOverlapItself())
                .isFalse();
        assertThat(Layout.of(Shape.of(2, 3), new long[] {2, 1}, 0).mayOverlapItself())
                .isTrue();
    }

    @Test
    void layoutsDifferInShapeStridesOrOffset() {
        Layout layout = Layout.of(Shape.of(2, 3), new long[] {3, 1}, 4);
        Layout same = CUBE.view(4, 2, 3).narrow(1, 0, 2).select(0, 0).slice(0, Slice.all());
        assertThat(same).isEqualTo(Layout.of(Shape.of(2, 3), new long[] {3, 1}, 0));
        assertThat(same.hashCode()).isEqualTo(Layout.contiguous(Shape.of(2, 3)).hashCode());
        assertThat(layout)
                .isNotEqualTo(Layout.of(Shape.of(2, 3), new long[] {3, 1}, 5))
                .isNotEqualTo(Layout.of(Shape.of(2, 3), new long[] {1, 3}, 4))
                .isNotEqualTo(Layout.of(Shape.of(2, 2), new long[] {3, 1}, 4))
                .isNotEqualTo(Shape.of(2, 3))
                .hasToString("Layout(shape=[2, 3], strides=[3, 1], offset=4)");
        Set<Integer> hashes = new HashSet<>();
        for (long offset = 0; offset < 4; offset++) {
            hashes.add(Layout.of(Shape.of(2), new long[] {1}, offset).hashCode());
            hashes.add(Layout.of(Shape.of(2), new long[] {offset + 2}, 0).hashCode());
            hashes.add(Layout.of(Shape.of(offset + 3), new long[] {1}, 0).hashCode());
        }
        assertThat(hashes).as("of 12 layouts").hasSizeGreaterThan(8);
    }

    @Test
    void aTransposeIsNotContiguousUnlessADimensionIsOne() {
        assertThat(Layout.contiguous(Shape.of(2, 3)).t().isContiguous()).isFalse();
        assertThat(Layout.contiguous(Shape.of(1, 3)).t().isContiguous()).isTrue();
        assertThat(Layout.contiguous(Shape.of(0, 3)).t().isContiguous()).isTrue();
    }

    @Test
    void contiguousMeansThatThePlacesCountUp() {
        Shapes random = new Shapes(1);
        for (int i = 0; i < 3_000; i++) {
            Layout layout = randomView(random);
            List<Long> places = places(layout);
            boolean countsUp = true;
            for (int n = 0; n < places.size(); n++) {
                countsUp &= places.get(n) == layout.offset() + n;
            }
            assertThat(layout.isContiguous()).as("%s", layout).isEqualTo(countsUp);
        }
    }

    @Test
    void theRangeOfElementsIsExact() {
        Shapes random = new Shapes(2);
        for (int i = 0; i < 3_000; i++) {
            Layout layout = randomView(random);
            List<Long> places = places(layout);
            if (places.isEmpty()) {
                assertThat(layout.maxElement()).isLessThan(layout.minElement());
            } else {
                assertThat(layout.minElement())
                        .isEqualTo(places.stream().min(Long::compare).orElseThrow());
                assertThat(layout.maxElement())
                        .isEqualTo(places.stream().max(Long::compare).orElseThrow());
            }
        }
    }

    @Test
    void elementsThatShareAPlaceAreAlwaysReported() {
        Shapes random = new Shapes(3);
        for (int i = 0; i < 3_000; i++) {
            Layout layout = randomView(random);
            List<Long> places = places(layout);
            boolean shared = new HashSet<>(places).size() < places.size();
            if (shared) {
                assertThat(layout.mayOverlapItself()).as("%s", layout).isTrue();
            }
        }
        assertThat(CUBE.permute(2, 0, 1).mayOverlapItself()).isFalse();
        assertThat(CUBE.expand(5, 2, 3, 4).mayOverlapItself()).isTrue();
    }

    @Test
    void aViewInAnotherShapeKeepsTheOrderOfTheElements() {
        Shapes random = new Shapes(4);
        int possible = 0;
        for (int i = 0; i < 5_000; i++) {
            Layout layout = randomView(random);
            Shape target = refactored(layout.shape().numel(), random);
            Optional<Layout> view = layout.tryView(target);
            if (view.isPresent()) {
                possible++;
                assertThat(view.get().shape()).isEqualTo(target);
                assertThat(places(view.get())).isEqualTo(places(layout));
            } else {
                assertThat(layout.isContiguous()).isFalse();
            }
        }
        assertThat(possible).isBetween(1_000, 4_990);
    }

    private static Shape refactored(long numel, Shapes random) {
        List<Long> sizes = new ArrayList<>();
        long rest = numel;
        while (rest > 1 && sizes.size() < 4) {
            long factor = 1 + random.below((int) Math.min(rest, 8));
            if (rest % factor == 0) {
                sizes.add(factor);
                rest /= factor;
            }
        }
        sizes.add(rest);
        return Shape.of(sizes.stream().mapToLong(Long::longValue).toArray());
    }

    @Test
    void flattenJoinsARangeOfDimensions() {
        assertThat(CUBE.flattenedShape(0, 1)).isEqualTo(Shape.of(6, 4));
        assertThat(CUBE.flattenedShape(1, -1)).isEqualTo(Shape.of(2, 12));
        assertThat(Layout.contiguous(Shape.SCALAR).flattenedShape(0, -1)).isEqualTo(Shape.of(1));
    }

    @Test
    void wrongArgumentsHavePyTorchsTexts() {
        assertIllegal(
                () -> CUBE.permute(0, 1),
                "permute(sparse_coo): number of dimensions in the tensor input does not"
                        + " match the length of the desired ordering of dimensions i.e. input.dim() = 3 is not equal to"
                        + " len(dims) = 2");
        assertIllegal(() -> CUBE.permute(0, 1, -2), "permute(): duplicate dims are not allowed.");
        assertIllegal(() -> CUBE.slice(0, null, null, 0), "slice step must be positive");
        assertIllegal(() -> CUBE.narrow(0, 0, -1), "narrow(): length must be non-negative.");
        assertIllegal(() -> CUBE.narrow(5, 0, -1), "narrow(): length must be non-negative.");
        assertIllegal(() -> CUBE.view(-1, -1), "only one dimension can be inferred");
        assertIllegal(() -> CUBE.view(-2, 12), "invalid shape dimension -2 at index 0 of shape [-2, 12]");
        assertIllegal(
                () -> CUBE.view(1L << 40, 1L << 40),
                "shape '[1099511627776, 1099511627776]' is invalid for input" + " of size 24");
        assertIllegal(() -> CUBE.unfold(1, 4, 1), "maximum size for tensor at dimension 1 is 3 but size is 4");
        assertIllegal(() -> CUBE.unfold(1, 2, 0), "step is 0 but must be > 0");
        assertIllegal(() -> CUBE.unfold(1, -1, 1), "size is -1 but must be >= 0");
        assertIllegal(
                () -> CUBE.flattenedShape(2, 0), "flatten() has invalid args: start_dim cannot come after end_dim");
        assertOutOfBounds(
                () -> CUBE.select(3, 0), "Dimension out of range (expected to be in range of [-3, 2], but got" + " 3)");
        assertOutOfBounds(
                () -> CUBE.unsqueeze(4), "Dimension out of range (expected to be in range of [-4, 3], but got" + " 4)");
        assertOutOfBounds(
                () -> CUBE.narrow(1, -4, 1), "start out of range (expected to be in range of [-3, 3], but got -4)");
        assertOutOfBounds(
                () -> CUBE.narrow(1, 4, 0), "start out of range (expected to be in range of [-3, 3], but got 4)");
        assertOutOfBounds(() -> CUBE.elementOffset(0, 3, 0), "index 3 is out of bounds for dimension 1 with size 3");
        assertOutOfBounds(() -> CUBE.elementOffset(0, -4, 0), "index -4 is out of bounds for dimension 1 with size 3");
        assertOutOfBounds(
                () -> CUBE.elementOffset(0, 0),
                "Cannot find element: index [0, 0] of shape [2, 3, 4]; give one index for each dimension");
        assertOutOfBounds(() -> CUBE.elementOffset(0, 0, 0, 0), "too many indices for tensor of dimension 3");
    }

    @Test
    void aScalarHasNoDimensionToTakeFrom() {
        Layout scalar = Layout.contiguous(Shape.SCALAR);
        assertOutOfBounds(() -> scalar.select(0, 0), "select() cannot be applied to a 0-dim tensor.");
        assertOutOfBounds(() -> scalar.slice(0, null, null, 1), "slice() cannot be applied to a 0-dim tensor.");
        assertIllegal(() -> scalar.narrow(0, 0, 1), "narrow() cannot be applied to a 0-dim tensor.");
        assertThat(scalar.transpose(0, -1)).isEqualTo(scalar);
        assertThat(scalar.squeeze(0)).isEqualTo(scalar);
        assertThat(scalar.movedim(0, -1)).isEqualTo(scalar);
    }

    @Test
    void stridesMustFitTheShape() {
        assertIllegal(() -> Layout.of(Shape.of(2, 3), new long[] {1}, 0), "mismatch in length of strides and shape");
        assertIllegal(() -> Layout.of(Shape.of(2), new long[] {1}, -1), "Tensor: invalid storage offset -1");
        assertThatThrownBy(() -> Layout.of(Shape.of(2), new long[] {-1}, 0))
                .hasMessageStartingWith("as_strided: Negative strides are not supported");
        assertThatThrownBy(() -> Layout.of(Shape.of(3), new long[] {Long.MAX_VALUE}, 0))
                .hasMessageStartingWith("Storage size calculation overflowed");
        assertThat(Layout.of(Shape.of(2), new long[] {Long.MAX_VALUE}, 0).maxElement())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Layout.of(Shape.of(0), new long[] {Long.MAX_VALUE}, Long.MAX_VALUE)
                        .maxElement())
                .isEqualTo(Long.MAX_VALUE - 1);
    }

    private static void assertIllegal(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(text);
    }

    private static void assertOutOfBounds(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class).hasMessage(text);
    }
}
