package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@WithFakeGpu
class CudaMemoryTest {
    private static final Device CUDA = Device.of("cuda");

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void aTensorGoesToTheGpuAndComesBack(DType dtype) {
        Tensor here = Tensors.arange(6).to(dtype).view(2, 3);
        Tensor there = here.to(CUDA);
        assertThat(there.device()).isEqualTo(Device.of("cuda:0"));
        assertThat(there.shape()).isEqualTo(Shape.of(2, 3));
        Tensor back = there.to(Device.CPU);
        assertThat(back.dtype()).isEqualTo(dtype);
        assertThat(back.values()).isEqualTo(here.values());
        there.release();
        back.release();
        here.release();
    }

    @Test
    void theSameGpuIsNoCopy() {
        Tensor there = Tensors.of(1f, 2f).to(CUDA);
        assertThat(there.to(Device.of("cuda:0"))).isSameAs(there);
        there.release();
    }

    @Test
    void nothingGoesToTheGpuToo() {
        Tensor there = Tensors.zeros(0, 3).to(CUDA);
        assertThat(there.to(Device.CPU).shape()).isEqualTo(Shape.of(0, 3));
        there.release();
    }

    @Test
    void aTensorGoesFromGpuToGpu() {
        driver.devices(2);
        Tensor first = Tensors.of(1f, 2f, 3f).to(Device.of("cuda:0"));
        Tensor second = first.to(Device.of("cuda:1"));
        assertThat(second.device()).isEqualTo(Device.of("cuda:1"));
        assertThat(second.to(Device.CPU).toFloatArray()).containsExactly(1, 2, 3);
        first.release();
        second.release();
    }

    @Test
    void tensorsThatNobodyHoldsMakeRoom() {
        driver.memoryLimit(64 << 20); // of which 57 MiB are the budget
        for (int i = 0; i < 20; i++) {
            Tensors.empty(DType.UINT8, Shape.of(20 << 20), CUDA);
        }
        assertThat(Gpus.gpu(CUDA).arena().figures().allocations()).isBetween(2L, 20L);
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheFigures() {
        driver.memoryLimit(1 << 20);
        assertThatThrownBy(() -> Tensors.empty(DType.FLOAT32, Shape.of(1 << 20), CUDA))
                .isInstanceOf(OutOfDeviceMemoryException.class)
                .hasMessageStartingWith("Cannot allocate 4194304 bytes on cuda:0: 0 bytes are in use");
    }
}
