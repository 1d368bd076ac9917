package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Views with stride 0, of sizes that no memory could hold. */
class ExpandTest {
    private static final long ROWS = 10_000_000_000_000L;

    @Test
    void tenTrillionRowsCostNothing() {
        Tensor row = Tensors.of(1f, 2f, 3f);
        long before = Memory.allocatedBytes();
        Tensor many = row.expand(ROWS, 3);
        assertThat(many.numel()).isEqualTo(3 * ROWS);
        assertThat(many).hasToString("""
                tensor([[1., 2., 3.],
                        [1., 2., 3.],
                        [1., 2., 3.],
                        ...,
                        [1., 2., 3.],
                        [1., 2., 3.],
                        [1., 2., 3.]])""");
        assertThat(many.select(0, ROWS - 1).toFloatArray()).containsExactly(1, 2, 3);
        assertThat(many.narrow(0, ROWS / 2, 2).t().copy().toFloatArray()).containsExactly(1, 1, 2, 2, 3, 3);
        assertThat(Memory.allocatedBytes() - before).isLessThan(1 << 16);
    }

    @Test
    void whatCannotBeMaterialisedIsRefusedWithItsSize() {
        Tensor many = Tensors.zeros(3).expand(ROWS, 3);
        assertThatThrownBy(many::values).hasMessageContaining("30000000000000 elements");
        assertThatThrownBy(many::toFloatArray).hasMessageContaining("30000000000000 elements");
        assertThatThrownBy(many::copy).hasMessageContaining("120000000000000 bytes wanted");
        assertThatThrownBy(() -> Tensors.zeros(1).expand(Long.MAX_VALUE).copy())
                .hasMessageContaining("9223372036854775807 elements of float32");
    }

    @Test
    void aCountPast63BitsIsRefusedInPyTorchsWords() {
        assertThat(Tensors.zeros(1).expand(1L << 62).numel()).isEqualTo(1L << 62);
        assertThatThrownBy(() -> Tensors.zeros(1).expand(1L << 62, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("numel: integer multiplication overflow");
    }

    @Test
    void theOtherNamesOfExpandGiveTheSameView() {
        Tensor column = Tensors.of(1, 2).view(2, 1);
        assertThat(column.broadcastTo(2, 3).layout())
                .isEqualTo(column.expand(2, 3).layout());
        assertThat(column.expandAs(Tensors.zeros(5, 2, 3)).layout())
                .isEqualTo(column.expand(5, 2, 3).layout());
        List<Tensor> pair = Tensors.broadcastTensors(column, Tensors.zeros(3));
        assertThat(pair).extracting(Tensor::shape).containsExactly(Shape.of(2, 3), Shape.of(2, 3));
        assertThat(pair.get(0).storage()).isSameAs(column.storage());
        assertThatThrownBy(() -> Tensors.broadcastTensors(Tensors.zeros(2, 3), Tensors.zeros(4)))
                .hasMessage(
                        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
        assertThatThrownBy(() -> Tensors.zeros(3).broadcastTo(2, 4))
                .hasMessage("The expanded size of the tensor (4) must match the existing size (3) at non-singleton"
                        + " dimension 1.  Target sizes: [2, 4].  Tensor sizes: [3]");
    }

    @Test
    void expandKeepsTheDtype() {
        assertThat(Tensors.zeros(Shape.of(1), DType.INT16).expand(4).dtype()).isEqualTo(DType.INT16);
    }
}
