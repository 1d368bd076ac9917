package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.compiler.NativeLibraries;
import io.github.broadloom.cuda.driver.Cleanup;
import io.github.broadloom.cuda.driver.CudaDriver;
import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.Gpu;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every call of the driver fails once, in turn: the result is right or the error is clear, and nothing is left behind. */
@WithFakeGpu
class CudaFaultTest {
    private static final int CALLS_AT_MOST = 500;

    /** Copies through pinned pieces, more of them than are in flight. */
    private static final int ELEMENTS = 3_500_000;

    private final FakeDriver driver = FakeDriver.load();

    @AfterEach
    void nothingIsLeft() {
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    /** The whole life of a device: opened, used twice, closed. */
    private static ByteBuffer live() {
        Gpu gpu = Gpu.open(0, new HostCompiler()::compile);
        Cleanup cleanup = new Cleanup();
        try {
            OpenedGpu.compute(gpu, 1000);
            return OpenedGpu.compute(gpu, ELEMENTS);
        } catch (RuntimeException e) {
            cleanup = new Cleanup(e);
            throw e;
        } finally {
            cleanup.run(gpu::close);
        }
    }

    private static final String OPERATING_SYSTEM =
            "CUDA_ERROR_OPERATING_SYSTEM (304, OS call failed or operation not supported on this OS)";

    @Test
    @Tag("full")
    void anyCallMayFailAndSayItLater() throws Exception {
        anyCallMayFail(304, OPERATING_SYSTEM, true);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "304, '" + OPERATING_SYSTEM + "'",
        "2, 'CUDA_ERROR_OUT_OF_MEMORY (2, out of memory)'",
    })
    @Tag("full")
    void anyCallMayFailAndSayItAtOnce(int error, String words) throws Exception {
        anyCallMayFail(error, words, false);
    }

    private void anyCallMayFail(int error, String words, boolean deferred) throws Exception {
        NativeLibraries.loadDriver();
        CudaDriver.init();
        List<String> failures = new ArrayList<>();
        boolean raised = true;
        for (int call = 1; raised; call++) {
            assertThat(call).isLessThan(CALLS_AT_MOST);
            driver.reset();
            if (deferred) {
                driver.deferWork();
            }
            driver.failCall(call, error);
            try {
                OpenedGpu.assertComputed(live());
            } catch (CudaException e) {
                failures.add(e.getMessage());
                assertThat(e).hasMessageContaining(words);
                assertThat(e.status()).isEqualTo(error);
            }
            raised = driver.faultsRaised() > 0;
            driver.failNothing();
            assertThat(driver.violations()).as(driver.message()).isZero();
            assertThat(driver.outstanding()).as("after call " + call).isEqualTo(FakeDriver.Outstanding.NOTHING);
        }
        assertThat(failures).isNotEmpty();
    }

    @Test
    void memoryMayEndAtAnyAllocation() throws Exception {
        NativeLibraries.loadDriver();
        CudaDriver.init();
        boolean raised = true;
        for (int allocation = 1; raised; allocation++) {
            driver.reset();
            driver.failCall("cuMemAlloc", allocation, FakeDriver.OUT_OF_MEMORY);
            // Memory ends for a moment: what is kept is freed, and the same call is made again.
            OpenedGpu.assertComputed(live());
            raised = driver.faultsRaised() > 0;
        }
    }
}
