package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.tensor.Device;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithFakeGpu
class PinnedCopiesTest {
    private static final Device CUDA = Device.of("cuda");
    private static final int CALLS_AT_MOST = 100;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void nothingIsOpen() {
        FakeGpus.closeAll();
    }

    @Test
    void everyByteGoesOnceInPieces() {
        long up = 130L << 20;
        try (PinnedCopies copies = new PinnedCopies(CUDA, up, 10)) {
            driver.reset();
            copies.run();
            assertThat(driver.calls("cuMemcpyHtoDAsync")).isEqualTo(3);
            assertThat(driver.calls("cuMemcpyDtoHAsync")).isEqualTo(1);
        }
        FakeGpus.closeAll();
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    @Test
    void anyCallMayFailAndNothingIsLeft() {
        int failed = 0;
        boolean raised = true;
        for (int call = 1; raised; call++) {
            assertThat(call).isLessThan(CALLS_AT_MOST);
            Gpus.gpu(CUDA);
            driver.reset();
            driver.failCall(call, FakeDriver.OPERATING_SYSTEM);
            try (PinnedCopies copies = new PinnedCopies(CUDA, 100, 200)) {
                copies.run();
            } catch (CudaException e) {
                failed++;
                assertThat(e).hasMessageContaining("CUDA_ERROR_OPERATING_SYSTEM");
            }
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            FakeGpus.closeAll();
        }
        assertThat(failed).isPositive();
    }
}
