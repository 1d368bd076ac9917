package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In-place operations on a distributed tensor replace what the handle stands for. */
class DistributedInPlaceTest {
    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    private static Tensor matrix() {
        return Tensors.arange(0, 12, 1, DType.FLOAT32).view(4, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void theHandleChangesAndWhatWasBuiltFromItDoesNot(int chunks) {
        Tensor x = matrix();
        DistributedTensor handle = broadloom().tensor(x, chunks);
        DistributedTensor before = handle.mul(2);
        assertThat(handle.add_(Tensors.of(1f, 2f, 3f)).mul_(handle)).isSameAs(handle);
        assertThat(handle.collect().select(0, 1).toFloatArray()).containsExactly(16, 36, 64);
        assertThat(before.collect().select(0, 1).toFloatArray()).containsExactly(6, 8, 10);
        assertThat(x.select(0, 1).toFloatArray()).containsExactly(3, 4, 5);
        assertThat(handle.chunks()).isEqualTo(chunks);
    }

    @Test
    void rulesAreThoseOfPyTorchAndARefusalChangesNothing() {
        DistributedTensor integers = broadloom().tensor(Tensors.arange(4).view(2, 2), 2);
        assertThatThrownBy(() -> integers.div_(2))
                .hasMessage("result type Float can't be cast to the desired output type Long");
        assertThatThrownBy(() -> integers.add_(Tensors.zeros(3, 2, 2)))
                .hasMessage("output with shape [2, 2] doesn't match the broadcast shape [3, 2, 2]");
        assertThat(integers.collect().toLongArray()).containsExactly(0, 1, 2, 3);
        assertThat(integers.apply_(Ops.MUL, true).gt_(1).dtype()).isEqualTo(DType.INT64);
        assertThat(integers.collect().toLongArray()).containsExactly(0, 0, 1, 1);
    }

    @Test
    void copyFillAndZeroKeepShapeAndDtype() {
        DistributedTensor handle = broadloom().tensor(matrix(), 2);
        handle.copy_(broadloom().tensor(Tensors.of(1.5, 2.5, 3.5)));
        assertThat(handle.collect().select(0, 3).toFloatArray()).containsExactly(1.5f, 2.5f, 3.5f);
        assertThat(handle.fill_(4).collect().toFloatArray()).hasSize(12).containsOnly(4);
        assertThat(handle.zero_().sum().collect().item()).isEqualTo(0.0);
        assertThat(handle.shape()).isEqualTo(Shape.of(4, 3));
    }

    @Test
    void aCachedHandleKeepsWorkingAndLetsGoOfWhatItKept() {
        DistributedTensor handle = broadloom().tensor(matrix(), 2).cache();
        DistributedTensor before = handle.neg();
        handle.collect();
        handle.add_(1);
        assertThat(handle.collect().getDouble(0, 0)).isEqualTo(1);
        assertThat(handle.cache().mul(2).collect().getDouble(0, 0)).isEqualTo(2);
        handle.unpersist();
        assertThat(LocalSpark.session().sparkContext().getPersistentRDDs().isEmpty())
                .isTrue();
        assertThat(handle.collect().getDouble(3, 2)).isEqualTo(12);
        assertThat(before.collect().getDouble(3, 2)).isEqualTo(-11);
    }

    @Test
    void aDriversTensorThatWasWrittenToIsRefusedBeforeAnyJob() throws Exception {
        Tensor x = matrix();
        DistributedTensor distributed = broadloom().tensor(x, 2);
        DistributedTensor mixed = broadloom().tensor(matrix(), 2).add(x);
        x.zero_();
        try (Jobs jobs = Jobs.listen()) {
            for (DistributedTensor stale : new DistributedTensor[] {distributed, mixed}) {
                assertThatThrownBy(stale::collect)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(
                                "was written to after the expression was built; call compute() or collect()");
                assertThat(stale.toString()).contains("float32");
            }
            assertThat(jobs.descriptions()).isEmpty();
        }
        assertThat(broadloom().tensor(x, 2).sum().collect().item()).isEqualTo(0.0);
    }

    @Test
    void anExpandedTensorCostsNothingUntilItIsComputed() throws Exception {
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor many = broadloom()
                    .tensor(Tensors.of(1f, 2f, 3f))
                    .mul(2)
                    .expand(10_000_000_000_000L, 3)
                    .add(1);
            assertThat(many.toString()).contains("[10000000000000, 3]").contains("float32");
            assertThat(jobs.descriptions()).isEmpty();
        }
        Tensor few = broadloom()
                .tensor(matrix().narrow(0, 1, 1), 1)
                .neg()
                .expand(5, 3)
                .add(broadloom().tensor(Tensors.arange(5).view(5, 1), 5))
                .collect();
        assertThat(few.select(0, 4).toFloatArray()).containsExactly(1, 0, -1);
    }

    @Test
    void theDeviceIsTheOneOfTheSession() {
        assertThat(broadloom().tensor(matrix()).device()).isEqualTo(Device.CPU);
    }
}
