package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.code.CudaArgument;
import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NativeLibraries;
import io.github.broadloom.tensor.Storage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device that keeps two kernels which nobody uses. */
@WithFakeGpu
class ModulesTest {
    private static final String CAPACITY = "broadloom.kernel.cache";

    private final FakeDriver driver = FakeDriver.load();
    private Gpu gpu;

    @BeforeEach
    void open() throws Exception {
        NativeLibraries.loadDriver();
        CudaDriver.init();
        System.setProperty(CAPACITY, "2");
        try {
            gpu = Gpu.open(0, new HostCompiler()::compile);
        } finally {
            System.clearProperty(CAPACITY);
        }
    }

    @AfterEach
    void close() {
        gpu.close();
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    /** Adds a number to a word. */
    private static CudaLaunch adds(int number) {
        CudaSource source = new CudaSource("adds", """
                struct Par { unsigned* word; };
                extern "C" __global__ void adds(const Par p) { *p.word += %du; }
                """.formatted(number));
        return new CudaLaunch(source, 1, 1, List.of(new CudaArgument.Address(0, 0)));
    }

    private static void run(GpuStream stream, Storage word, int... numbers) {
        for (int number : numbers) {
            stream.launch(adds(number), new long[] {word.deviceAddress()}, List.of(), () -> "add " + number);
        }
    }

    @Test
    void theLeastRecentlyUsedKernelIsUnloaded() {
        try (GpuStream stream = gpu.stream()) {
            Storage word = stream.memory(Integer.BYTES);
            stream.fill(word, (byte) 0);
            for (int number : new int[] {1, 10, 1, 100, 1, 10}) {
                run(stream, word, number);
                stream.synchronize();
            }
            assertThat(stream.word(word)).isEqualTo(123);
            word.release();
        }
        assertThat(gpu.modules().count()).isEqualTo(2);
        assertThat(driver.calls("cuModuleLoadData")).isEqualTo(4); // 1, 10, 100, and 10 again
        assertThat(driver.calls("cuModuleUnload")).isEqualTo(2);
    }

    @Test
    void whatIsInAStreamIsNotUnloaded() {
        driver.deferWork();
        try (GpuStream stream = gpu.stream();
                GpuStream other = gpu.stream()) {
            Storage word = stream.memory(Integer.BYTES);
            Storage second = other.memory(Integer.BYTES);
            stream.fill(word, (byte) 0);
            other.fill(second, (byte) 0);
            run(stream, word, 1, 10, 100, 1000, 1);
            run(other, second, 1, 2, 3);
            assertThat(driver.calls("cuModuleUnload")).isZero();
            assertThat(stream.word(word)).isEqualTo(1112);
            run(other, second, 4);
            assertThat(driver.calls("cuModuleUnload"))
                    .as("those of the stream that is done")
                    .isEqualTo(3);
            assertThat(other.word(second)).isEqualTo(10);
            word.release();
            second.release();
        }
    }

    @Test
    void aStreamThatEndsWithAFailureKeepsNoKernelLoaded() {
        GpuStream stream = gpu.stream();
        Storage word = stream.memory(Integer.BYTES);
        run(stream, word, 1, 10, 100);
        driver.failCall("cuStreamSynchronize", 1, FakeDriver.OPERATING_SYSTEM);
        assertThatThrownBy(stream::close).isInstanceOf(CudaException.class);
        word.release();
        try (GpuStream next = gpu.stream()) {
            Storage other = next.memory(Integer.BYTES);
            run(next, other, 1000);
            other.release();
        }
        assertThat(gpu.modules().count()).isEqualTo(2);
    }
}
