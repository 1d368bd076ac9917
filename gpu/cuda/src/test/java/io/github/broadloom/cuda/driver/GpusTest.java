package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithFakeGpu
class GpusTest {
    private final FakeDriver driver = FakeDriver.load();

    @AfterEach
    void close() {
        Gpus.close();
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    @Test
    void whatIsThereIsNamed() {
        driver.devices(2);
        CudaProbe probe = Gpus.probe();
        assertThat(probe.devices()).isEqualTo(2);
        assertThat(probe.reason())
                .isEqualTo("Fake GPU 0 (1024 MiB, 0000:01:00.0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f0), "
                        + "Fake GPU 1 (1024 MiB, 0000:02:00.0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f1), "
                        + "numbered the fastest first (unless CUDA_DEVICE_ORDER=PCI_BUS_ID), driver for CUDA 12.6");
    }

    @Test
    void aTaskMayHaveItsGpuByTheUuid() {
        driver.devices(2);
        try (CurrentGpu.Scope gpu =
                CurrentGpu.use(() -> GpuAddress.ordinal("GPU-8932f937-d72c-4106-c12f-20bd9faed9f1"))) {
            assertThat(Gpus.gpu(Device.of("cuda")).device()).isEqualTo(Device.of("cuda:1"));
        }
        try (CurrentGpu.Scope gpu = CurrentGpu.use(() -> GpuAddress.ordinal("GPU-77"))) {
            assertThatThrownBy(() -> Gpus.gpu(Device.of("cuda"))).hasMessageStartingWith("Cannot use GPU 'GPU-77'");
            assertThat(Devices.backend(Device.AUTO)
                            .evaluate(Input.of(Tensors.of(1.0)))
                            .toDoubleArray())
                    .containsExactly(1);
        }
        assertThat(Gpus.gpu(Device.of("cuda")).device()).isEqualTo(Device.of("cuda:0"));
    }

    @Test
    void cudaIsTheFirstGpuAndEachIsOpenedOnce() {
        driver.devices(2);
        Gpu first = Gpus.gpu(Device.of("cuda"));
        assertThat(first.device()).isEqualTo(Device.of("cuda:0"));
        assertThat(Gpus.gpu(Device.of("cuda:0"))).isSameAs(first);
        assertThat(Gpus.gpu(Device.of("cuda:1")).device()).isEqualTo(Device.of("cuda:1"));
        assertThat(driver.calls("cuDevicePrimaryCtxRetain")).isEqualTo(2);
    }

    @Test
    void theArchitectureIsTheComputeCapability() {
        driver.capability(86);
        assertThat(Gpus.gpu(Device.of("cuda")).properties().architecture()).isEqualTo("sm_86");
    }

    @Test
    void aGpuThatIsTooOldForTheKernelsIsRefused() {
        driver.capability(61);
        assertThatThrownBy(() -> Gpus.gpu(Device.of("cuda")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot use device: cuda:0; Fake GPU 0 is sm_61, and sm_70 is the oldest that works");
        assertThat(Gpus.architectures()).isEmpty();
        assertThatThrownBy(() -> CudaArchitecture.parse("sm_90, sm_61"))
                .hasMessage("Cannot compile for architecture: sm_61; sm_70 is the oldest that works");
        driver.capability(70);
        assertThat(Gpus.architectures()).containsExactly("sm_70");
        assertThat(Gpus.gpu(Device.of("cuda")).properties().architecture()).isEqualTo("sm_70");
    }

    @Test
    void aGpuThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> Gpus.gpu(Device.of("cuda:1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot use device: cuda:1; there is 1 GPU here, from cuda:0");
    }

    @Test
    void noGpuIsAReason() {
        driver.devices(0);
        assertThat(Gpus.probe().devices()).isZero();
        assertThat(Gpus.probe().reason())
                .isEqualTo("no NVIDIA GPU on this machine (cuInit: CUDA_ERROR_NO_DEVICE (100, no CUDA-capable device is"
                        + " detected))");
    }

    @Test
    void aDriverThatDoesNotStartIsAReasonThatIsKept() {
        driver.failCall("cuInit", 1, FakeDriver.UNKNOWN);
        String reason = "the NVIDIA driver does not answer (cuInit: CUDA_ERROR_UNKNOWN (999, unknown error))";
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Gpus.gpu(Device.of("cuda")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot use device: cuda; " + reason)
                    .hasCauseInstanceOf(CudaException.class);
        }
        assertThat(driver.calls("cuInit")).isOne();
    }

    @Test
    void aGpuThatDoesNotOpenIsTriedAgain() {
        driver.failCall("cuDevicePrimaryCtxRetain", 1, FakeDriver.OUT_OF_MEMORY);
        assertThatThrownBy(() -> Gpus.gpu(Device.of("cuda")))
                .hasMessage(
                        "Cannot use device: cuda:0; cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY (2, out of memory)");
        assertThat(Gpus.gpu(Device.of("cuda")).device()).isEqualTo(Device.of("cuda:0"));
    }
}
