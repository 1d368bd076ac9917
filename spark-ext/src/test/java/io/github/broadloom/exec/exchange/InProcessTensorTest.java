package io.github.broadloom.exec.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class InProcessTensorTest {
    @Test
    void aTaskReadsTheDriversOwnTensor() {
        Tensor tensor = Tensors.ones(1000);
        InProcessTensor shared = InProcessTensor.of(tensor);
        byte[] sent = JavaBytes.of(shared);
        assertThat(sent).hasSizeLessThan(400);
        assertThat(JavaBytes.read(sent, InProcessTensor.class).tensor()).isSameAs(tensor);
        Reference.reachabilityFence(shared);
        tensor.release();
    }

    @Test
    void whatTheDriverForgotIsNotFound() {
        InProcessTensor shared = InProcessTensor.of(Tensors.ones(1000));
        byte[] sent = JavaBytes.of(shared);
        WeakReference<InProcessTensor> forgotten = new WeakReference<>(shared);
        shared = null;
        while (forgotten.get() != null) {
            System.gc();
        }
        assertThatThrownBy(() -> JavaBytes.read(sent, InProcessTensor.class))
                .hasMessageContaining("Cannot find operand: the driver does not refer to it any more");
    }
}
