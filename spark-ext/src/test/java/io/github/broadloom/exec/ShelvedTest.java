package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class ShelvedTest {
    @Test
    void aTaskReadsTheDriversOwnTensor() {
        Tensor tensor = Tensors.ones(1000);
        Shelved shelved = Shelved.of(tensor);
        byte[] sent = JavaBytes.of(shelved);
        assertThat(sent).hasSizeLessThan(400);
        assertThat(JavaBytes.read(sent, Shelved.class).tensor()).isSameAs(tensor);
        Reference.reachabilityFence(shelved);
        tensor.release();
    }

    @Test
    void whatTheDriverForgotIsNotFound() {
        Shelved shelved = Shelved.of(Tensors.ones(1000));
        byte[] sent = JavaBytes.of(shelved);
        WeakReference<Shelved> forgotten = new WeakReference<>(shelved);
        shelved = null;
        while (forgotten.get() != null) {
            System.gc();
        }
        assertThatThrownBy(() -> JavaBytes.read(sent, Shelved.class))
                .hasMessageContaining("Cannot find operand: the driver does not refer to it any more");
    }
}
