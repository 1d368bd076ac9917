package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An expression means the elements that its tensors had when it was built; a later write is never seen silently. */
class StaleInputTest {
    private static final String REFUSED =
            "Cannot evaluate expression: its input, a float32 tensor of shape [2], was written"
                    + " to after the expression was built; call compute() or collect() before the change, or build the expression"
                    + " after it";

    @Test
    void anyWriteMakesAnEarlierExpressionRefuseToBeComputed() {
        List<Consumer<Tensor>> writes = List.of(
                x -> x.set(5f, 0),
                x -> x.fill_(5),
                Tensor::zero_,
                x -> x.copy_(Tensors.of(3f, 4f)),
                x -> LazyTensor.of(x).add_(1),
                x -> x.view(2, 1).select(0, 0).fill_(1));
        for (Consumer<Tensor> write : writes) {
            Tensor x = Tensors.of(1f, 2f);
            LazyTensor y = LazyTensor.of(x).mul(2);
            LazyTensor sum = y.sum();
            write.accept(x);
            assertThatThrownBy(y::compute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(REFUSED);
            assertThatThrownBy(sum::compute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(REFUSED);
            assertThatThrownBy(() -> y.to(Device.CPU)).hasMessage(REFUSED);
            assertThatThrownBy(() -> LazyTensor.of(x).add_(y)).hasMessage(REFUSED);
        }
    }

    @Test
    void aHandleOnTheTensorItselfMeansItAsItIs() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor handle = LazyTensor.of(x);
        handle.add_(1);
        assertThat(handle.compute().toFloatArray()).containsExactly(2, 3);
        assertThat(handle.mul(handle.sub(1)).compute().toFloatArray()).containsExactly(2, 6);
        x.zero_();
        assertThat(handle.compute().toFloatArray()).containsExactly(0, 0);
    }

    @Test
    void anExpressionThatMeetsOldAndNewIsRefusedToo() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor old = LazyTensor.of(x).mul(2);
        x.fill_(9);
        LazyTensor both = LazyTensor.of(x).add(old);
        assertThatThrownBy(both::compute)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(REFUSED);
    }

    @Test
    void whatWasEvaluatedBeforeTheWriteStays() {
        Tensor x = Tensors.of(1f, 2f);
        Tensor y = LazyTensor.of(x).mul(2).compute();
        x.zero_();
        assertThat(y.toFloatArray()).containsExactly(2, 4);
    }

    @Test
    void aRefusedWriteLeavesExpressionsUsable() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor y = LazyTensor.of(x).mul(2);
        assertThatThrownBy(() -> LazyTensor.of(x).add_(Tensors.zeros(3))).isInstanceOf(IllegalArgumentException.class);
        assertThat(y.compute().toFloatArray()).containsExactly(2, 4);
    }
}
