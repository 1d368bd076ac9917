package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code copy_}, {@code fill_} and {@code zero_}: what is written, what is refused, and what is counted. */
class WriteTest {
    @Test
    void fillingAViewIsSeenThroughTheWhole() {
        Tensor whole = Tensors.arange(6).view(2, 3);
        assertThat(whole.select(1, 1).fill_(9)).isNotNull();
        assertThat(whole.toLongArray()).containsExactly(0, 9, 2, 3, 9, 5);
        whole.index(Slice.all(), Slice.from(2)).zero_();
        assertThat(whole.toLongArray()).containsExactly(0, 9, 0, 3, 9, 0);
    }

    @Test
    void anExpandedTensorIsFilledAtOnceHoweverLargeItLooks() {
        Tensor one = Tensors.of(1f, 2f);
        one.unsqueeze(0).expand(10_000_000_000_000L, 2).fill_(5);
        assertThat(one.toFloatArray()).containsExactly(5, 5);
    }

    @Test
    void fillConvertsTheNumberAsPyTorchDoes() {
        assertThat(Tensors.zeros(Shape.of(2), DType.INT8).fill_(2.9).toLongArray())
                .containsExactly(2, 2);
        assertThatThrownBy(() -> Tensors.zeros(Shape.of(2), DType.INT8).fill_(300))
                .hasMessage("value cannot be converted to type int8_t without overflow");
        assertThat(Tensors.zeros(Shape.of(2), DType.INT8)
                        .fill_(Tensors.scalar(300))
                        .toLongArray())
                .containsExactly(44, 44);
        assertThatThrownBy(() -> Tensors.zeros(2).fill_(Tensors.of(1, 2)))
                .hasMessage("fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.");
    }

    @Test
    void copyCastsAndBroadcastsThroughStrides() {
        Tensor target = Tensors.zeros(Shape.of(3, 2), DType.INT32);
        target.t().copy_(Tensors.of(1.9, -2.9, 3.5));
        assertThat(target.toLongArray()).containsExactly(1, 1, -2, -2, 3, 3);
    }

    @Test
    void aLargeCopyThatCastsIsDoneInPieces() {
        Tensor target = Tensors.zeros(Shape.of(3, 100_000), DType.FLOAT64);
        target.copy_(Tensors.arange(300_000).view(3, 100_000));
        assertThat(target.getDouble(0, 99_999)).isEqualTo(99_999);
        assertThat(target.getDouble(1, 65_537)).isEqualTo(165_537);
        assertThat(target.getDouble(2, 99_999)).isEqualTo(299_999);
    }

    @Test
    void aRefusedCopyWritesNothing() {
        Tensor one = Tensors.of(1f);
        assertThatThrownBy(() -> one.expand(3).copy_(Tensors.zeros(5)))
                .hasMessageStartingWith("unsupported operation: more than one element of the written-to tensor");
        assertThatThrownBy(() -> Tensors.zeros(3).copy_(Tensors.zeros(5)))
                .hasMessage(
                        "The size of tensor a (3) must match the size of tensor b (5) at non-singleton dimension 0");
        assertThat(one.toFloatArray()).containsExactly(1);
        assertThat(one.storage().version()).isZero();
    }

    @Test
    void everyWriteIsCountedOnceForAllViews() {
        Tensor whole = Tensors.arange(6).view(2, 3);
        Tensor view = whole.t();
        long before = whole.storage().version();
        view.set(7L, 0, 1);
        view.fill_(1);
        view.zero_();
        view.copy_(Tensors.arange(6).view(3, 2));
        assertThat(whole.storage().version()).isEqualTo(before + 4);
        view.toLongArray();
        assertThat(whole.storage().version()).isEqualTo(before + 4);
    }

    @Test
    void aliasingTellsInPlaceFromApartFromCrossing() {
        Tensor whole = Tensors.arange(24).view(4, 6);
        Tensor left = whole.slice(1, Slice.of(0, 3));
        assertThat(Aliasing.of(whole, whole.view(4, 6))).isEqualTo(Aliasing.IN_PLACE);
        assertThat(Aliasing.of(left, whole.slice(1, Slice.of(3, 6)))).isEqualTo(Aliasing.APART);
        assertThat(Aliasing.of(left, whole.slice(1, Slice.of(1, 4)))).isEqualTo(Aliasing.CROSSING);
        assertThat(Aliasing.of(whole.select(0, 0), whole)).isEqualTo(Aliasing.CROSSING);
        assertThat(Aliasing.of(Tensors.arange(6), whole)).isEqualTo(Aliasing.APART);
    }

    @Test
    void twoStoragesOverTheSameBytesAreFoundToCross() {
        Tensor whole = Tensors.arange(6);
        Tensor bytes = Tensor.of(
                DType.INT8,
                Layout.contiguous(Shape.of(6)),
                Storage.wrap(whole.storage().buffer()));
        assertThat(Aliasing.of(bytes, whole)).isEqualTo(Aliasing.CROSSING);
        bytes.storage().release();
    }

    @Test
    void repetitionsThatCopySaySoByTheirSize() {
        Tensor matrix = Tensors.of(1, 2, 3, 4).view(2, 2);
        assertThat(matrix.tile(2).shape()).isEqualTo(Shape.of(2, 4));
        assertThat(matrix.tile(2).toLongArray()).containsExactly(1, 2, 1, 2, 3, 4, 3, 4);
        assertThat(matrix.repeatInterleave(2, 0).toLongArray()).containsExactly(1, 2, 1, 2, 3, 4, 3, 4);
        assertThat(matrix.repeatInterleave(2, -1).toLongArray()).containsExactly(1, 1, 2, 2, 3, 3, 4, 4);
        assertThatThrownBy(() -> matrix.repeatInterleave(-2, 0)).hasMessage("Repeats must be non-negative");
        assertThatThrownBy(() -> Tensors.zeros(3).repeat(-1))
                .hasMessage("Trying to create tensor with negative dimension -3: [-3]");
    }

    /** Each of these would write to a page that the operating system protects, and so end this JVM. */
    @Test
    void aReadOnlyMappingIsNotWrittenTo(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("values"), new byte[] {1, 2, 3, 4});
        Tensor mapped;
        try (FileChannel channel = FileChannel.open(file)) {
            mapped = Tensors.wrap(channel.map(MapMode.READ_ONLY, 0, 4), DType.INT8, Shape.of(4));
        }
        List<Consumer<Tensor>> writes = List.of(
                tensor -> tensor.set(9, 0),
                tensor -> tensor.fill_(9),
                tensor -> tensor.fill_(Tensors.scalar(9)),
                Tensor::zero_,
                tensor -> tensor.copy_(Tensors.of(9, 9, 9, 9)));
        for (Consumer<Tensor> write : writes) {
            assertThatThrownBy(() -> write.accept(mapped))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("assignment destination is read-only");
        }
        assertThat(mapped.copy().fill_(9).toLongArray()).containsExactly(9, 9, 9, 9);
        assertThat(mapped.toLongArray()).containsExactly(1, 2, 3, 4);
        assertThat(mapped.storage().version()).isZero();
    }
}
