package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Shapes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every copying method against reading the elements one at a time. */
class BoxCopyTest {

    /** The elements at the indices that {@code pick} makes of each index of {@code shape}, in row-major order. */
    private static List<Object> oneByOne(Tensor tensor, Shape shape, UnaryOperator<long[]> pick) {
        List<Object> values = new ArrayList<>();
        for (long n = 0; n < shape.numel(); n++) {
            long[] index = new long[shape.rank()];
            long rest = n;
            for (int dim = shape.rank() - 1; dim >= 0; dim--) {
                index[dim] = rest % shape.size(dim);
                rest /= shape.size(dim);
            }
            values.add(tensor.get(pick.apply(index)));
        }
        return values;
    }

    private static Tensor randomView(Shapes random, DType dtype) {
        Layout base = Layout.contiguous(random.shape(4, 6));
        Tensor counted = Tensors.arange(base.shape().numel()).to(dtype);
        return Tensor.of(dtype, random.views(base), counted.storage());
    }

    @ParameterizedTest
    @EnumSource
    void aCopyHasTheElementsOfTheView(DType dtype) {
        Shapes random = new Shapes(dtype.ordinal());
        for (int i = 0; i < 400; i++) {
            Tensor view = randomView(random, dtype);
            Tensor copy = view.copy();
            assertThat(copy.layout()).isEqualTo(Layout.contiguous(view.shape()));
            assertThat(copy.values()).isEqualTo(oneByOne(view, view.shape(), index -> index));
        }
    }

    @Test
    void flipReversesTheIndicesOfItsDimensions() {
        Shapes random = new Shapes(21);
        for (int i = 0; i < 400; i++) {
            Tensor view = randomView(random, DType.INT32);
            int flipped = view.rank() == 0 ? 0 : random.below(view.rank());
            List<Object> expected = oneByOne(view, view.shape(), index -> {
                if (index.length > 0) {
                    index[flipped] = view.shape().size(flipped) - 1 - index[flipped];
                }
                return index;
            });
            assertThat(view.flip(flipped).values()).isEqualTo(expected);
        }
    }

    @Test
    void repeatTakesTheIndexModuloTheSize() {
        Shapes random = new Shapes(22);
        for (int i = 0; i < 400; i++) {
            Tensor view = randomView(random, DType.INT16);
            int added = random.below(2);
            long[] repeats = new long[view.rank() + added];
            long[] sizes = new long[repeats.length];
            for (int dim = 0; dim < repeats.length; dim++) {
                repeats[dim] = random.below(4);
                sizes[dim] = repeats[dim] * (dim < added ? 1 : view.shape().size(dim - added));
            }
            Tensor repeated = view.repeat(repeats);
            assertThat(repeated.shape()).isEqualTo(Shape.of(sizes));
            assertThat(repeated.values()).isEqualTo(oneByOne(view, Shape.of(sizes), index -> {
                long[] inner = new long[view.rank()];
                for (int dim = 0; dim < inner.length; dim++) {
                    inner[dim] = index[dim + added] % view.shape().size(dim);
                }
                return inner;
            }));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTranspositionLargerThanAStripIsExact(DType dtype) {
        Tensor blocks = Tensors.arange(3 * 70 * 45).to(dtype).reshape(3, 70, 45);
        Tensor lines = Tensors.arange(21 * 1100).to(dtype).reshape(21, 1100);
        for (Tensor view : List.of(
                blocks.transpose(1, 2),
                blocks.permute(2, 1, 0),
                blocks.permute(2, 0, 1),
                lines.t(),
                lines.view(1100, 21).t())) {
            assertThat(view.copy().values()).isEqualTo(oneByOne(view, view.shape(), index -> index));
            Tensor target = Tensors.zeros(view.shape(), dtype).transpose(0, -1);
            assertThat(target.copy_(view.transpose(0, -1)).values())
                    .isEqualTo(view.transpose(0, -1).values());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBoxIsCopiedToAnArrayAndBack(DType dtype) {
        Tensor source = Tensors.arange(40 * 60).to(dtype).reshape(40, 60);
        Tensor target = Tensors.zeros(Shape.of(40, 60), dtype);
        Object array = dtype.primitive().newArray(60 * 40);
        int bytes = dtype.bytes();
        long start = RawMemory.firstElement(array);
        BoxCopy transposition = new BoxCopy(
                bytes, List.of(new BoxCopy.Loop(40, 60L * bytes, bytes), new BoxCopy.Loop(60, bytes, 40L * bytes)));
        transposition.copy(null, source.address(), array, start);
        BoxCopy back = new BoxCopy(
                bytes, List.of(new BoxCopy.Loop(60, 40L * bytes, bytes), new BoxCopy.Loop(40, bytes, 60L * bytes)));
        back.copy(array, start, null, target.address());
        assertThat(target.values()).isEqualTo(source.values());
        RawMemory.copy(array, 0, target.address(), 60 * 40);
        assertThat(target.view(60, 40).values()).isEqualTo(source.t().values());
    }

    @Test
    void assignCastsBroadcastsAndWritesThroughTheView() {
        Tensor whole = Tensors.zeros(Shape.of(3, 4), DType.INT32);
        whole.slice(1, 1L, null, 2).copy_(Tensors.of(7.9, -1.5));
        assertThat(whole.toIntArray()).containsExactly(0, 7, 0, -1, 0, 7, 0, -1, 0, 7, 0, -1);
    }

    @Test
    void assignWithinOneStorageReadsBeforeItWrites() {
        Tensor row = Tensors.arange(6);
        row.slice(0, 1L, null, 1).copy_(row.slice(0, null, -1L, 1));
        assertThat(row.toLongArray()).containsExactly(0, 0, 1, 2, 3, 4);
    }
}
