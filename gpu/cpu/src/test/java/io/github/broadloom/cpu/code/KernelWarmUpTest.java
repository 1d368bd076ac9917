package io.github.broadloom.cpu.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.broadloom.tensor.FirstUse;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class KernelWarmUpTest {
    @Test
    void theFirstTensorFindsIt() {
        assertThat(ServiceLoader.load(FirstUse.class).findFirst()).get().isInstanceOf(KernelWarmUp.class);
    }

    /** A failure of it is dropped, so that a change of the kernels' interface would be seen nowhere else. */
    @Test
    void whatItCompilesIsAKernel() {
        assertThatCode(() -> new KernelWarmUp().load()).doesNotThrowAnyException();
    }
}
