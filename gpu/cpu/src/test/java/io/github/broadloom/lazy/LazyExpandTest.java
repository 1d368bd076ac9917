package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Expansion as an expression. */
class LazyExpandTest {
    private static final long ROWS = 10_000_000_000_000L;
    private final Tensor row = Tensors.of(1f, 2f, 3f);

    @Test
    void anExpandedTensorOrValueCostsNothing() {
        long before = Memory.allocatedBytes();
        LazyTensor view = LazyTensor.of(row).expand(ROWS, 3);
        LazyTensor value = LazyTensor.of(row).mul(2).broadcastTo(ROWS, 3).add(1);
        assertThat(view).hasToString("LazyTensor(shape=[10000000000000, 3], dtype=float32)");
        assertThat(value.shape().numel()).isEqualTo(3 * ROWS);
        assertThat(Memory.allocatedBytes() - before).isLessThan(1 << 16);
        assertThatThrownBy(value::compute).hasMessageContaining("120000000000000 bytes wanted");
    }

    @Test
    void anExpandedValueHasItsElements() {
        LazyTensor value = LazyTensor.of(row).mul(2).expand(2, -1);
        assertThat(value.compute().toFloatArray()).containsExactly(2, 4, 6, 2, 4, 6);
        assertThat(value.sum().compute().item()).isEqualTo(24.0);
        assertThat(value.sum(0).compute().toFloatArray()).containsExactly(4, 8, 12);
        assertThat(LazyTensor.of(row).sum().expand(4).compute().toFloatArray()).containsExactly(6, 6, 6, 6);
        assertThat(LazyTensor.of(row)
                        .to(DType.INT8)
                        .add(1)
                        .expandAs(Tensors.zeros(1, 3))
                        .compute()
                        .toLongArray())
                .containsExactly(2, 3, 4);
    }

    @Test
    void severalHandlesAreExpandedToTheirCommonShape() {
        LazyTensor column = LazyTensor.of(Tensors.of(10f, 20f).unsqueeze(1));
        List<LazyTensor> pair =
                TensorOps.broadcastTensors(List.of(column, LazyTensor.of(row).neg()));
        assertThat(pair.get(0).compute().toFloatArray()).containsExactly(10, 10, 10, 20, 20, 20);
        assertThat(pair.get(1).compute().toFloatArray()).containsExactly(-1, -2, -3, -1, -2, -3);
    }

    @Test
    void theStringLanguageKnowsIt() {
        LazyTensor parsed = LazyTensor.eval("expand_as(x * 2, y)", Map.of("x", row, "y", Tensors.zeros(2, 3)));
        assertThat(parsed.compute().toFloatArray()).containsExactly(2, 4, 6, 2, 4, 6);
        assertThatThrownBy(() -> LazyTensor.eval("expand_as(y, x)", Map.of("x", row, "y", Tensors.zeros(2, 3))))
                .hasMessageContaining("the number of sizes provided (1) must be greater or equal");
    }

    @Test
    void errorsAreThoseOfTheTensorsMethod() {
        LazyTensor value = LazyTensor.of(row).mul(2);
        assertThatThrownBy(() -> value.expand(2, 4))
                .hasMessage("The expanded size of the tensor (4) must match the existing size (3) at non-singleton"
                        + " dimension 1.  Target sizes: [2, 4].  Tensor sizes: [3]");
        assertThatThrownBy(() -> LazyTensor.of(Tensors.zeros(2, 3)).neg().expand(3))
                .hasMessage("expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be"
                        + " greater or equal to the number of dimensions in the tensor (2)");
    }

    @Test
    void anExpandedTensorIsNotWrittenToAndAnExpandedValueIs() {
        LazyTensor view = LazyTensor.of(row).expand(2, 3);
        assertThatThrownBy(() -> view.add_(1)).hasMessageStartingWith("unsupported operation: more than one element");
        assertThat(LazyTensor.of(row).neg().expand(2, 3).add_(1).compute().toFloatArray())
                .containsExactly(0, -1, -2, 0, -1, -2);
    }

    @Test
    void anExpandedValueFollowsItsShapeInPromotionAndItsDtype() {
        LazyTensor scalar = LazyTensor.of(Tensors.scalar(1.5, DType.FLOAT64)).neg();
        assertThat(scalar.expand(2).add(Tensors.zeros(2)).dtype()).isEqualTo(DType.FLOAT64);
        assertThat(scalar.add(Tensors.zeros(2)).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(Promotion.resultType(scalar, Tensors.zeros(Shape.of(2), DType.INT8), 2))
                .isEqualTo(DType.FLOAT64);
        assertThat(scalar.isFloatingPoint()).isTrue();
    }
}
