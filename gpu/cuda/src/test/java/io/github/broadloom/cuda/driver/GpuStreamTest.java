package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.OpenedGpu;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.code.CudaLaunch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@WithFakeGpu
class GpuStreamTest extends OpenedGpu {
    /** More than three pieces of 4 MiB, and a rest. */
    private static final int MANY = 4_500_001;

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 20_000, MANY})
    void whatGoesUpIsComputedAndComesDown(int elements) {
        assertComputed(compute(gpu(), elements));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, MANY})
    void workThatRunsLateFindsItsBytes(int elements) {
        driver.deferWork();
        assertComputed(compute(gpu(), elements));
    }

    @Test
    void copiesDoWithoutPinnedMemory() {
        driver.failCalls("cuMemHostAlloc", 1, 1000, FakeDriver.OUT_OF_MEMORY);
        assertComputed(compute(gpu(), MANY));
        assertThat(driver.faultsRaised()).isPositive();
    }

    @Test
    void pinnedPiecesAreUsedAgain() {
        compute(gpu(), MANY);
        long pinned = driver.calls("cuMemHostAlloc");
        compute(gpu(), MANY);
        assertThat(pinned).isBetween(1L, 3L);
        assertThat(driver.calls("cuMemHostAlloc")).isEqualTo(pinned);
    }

    @Test
    void bytesAreFilledAndCopiedOnTheDevice() {
        driver.deferWork();
        ByteBuffer host = ByteBuffer.allocateDirect(8);
        try (GpuStream stream = gpu().stream();
                Blocks blocks = new Blocks(stream)) {
            DeviceBlock from = blocks.take(8);
            DeviceBlock to = blocks.take(8);
            stream.fill(from.address(), (byte) 7, 8);
            stream.copy(from.address(), to.address() + 4, 4);
            stream.fill(to.address(), (byte) 0, 4);
            stream.download(to.address(), address(host), 8);
        }
        assertThat(host.getLong(0)).isEqualTo(0x00000000_07070707L);
    }

    @Test
    void nothingIsDoneForNoBytes() {
        try (GpuStream stream = gpu().stream()) {
            stream.upload(0, 0, 0);
            stream.download(0, 0, 0);
            assertThat(stream.isBusy()).isFalse();
        }
        assertThat(driver.calls()).doesNotContainKeys("cuMemcpyHtoDAsync", "cuStreamSynchronize");
    }

    @Test
    void aStreamIsLentAgain() {
        for (int i = 0; i < 3; i++) {
            compute(gpu(), 10);
        }
        assertThat(driver.calls("cuStreamCreate")).isOne();
        assertThat(driver.calls("cuModuleLoadData")).isOne();
    }

    @Test
    void whatIsKeptIsKeptUntilTheWorkIsDone() {
        driver.deferWork();
        try (GpuStream stream = gpu().stream();
                Blocks blocks = new Blocks(stream)) {
            stream.fill(blocks.take(8).address(), (byte) 1, 8);
            assertThat(stream.isBusy()).isTrue();
            stream.synchronize();
            assertThat(stream.isBusy()).isFalse();
        }
    }

    @Test
    void aFaultOfAKernelIsToldWithWhatTheKernelDid() {
        CudaLaunch tooMany = twicePlus(1000);
        assertThatThrownBy(() -> {
                    try (GpuStream stream = gpu().stream();
                            Blocks blocks = new Blocks(stream)) {
                        long address = blocks.take(100).address();
                        stream.launch(
                                tooMany,
                                new long[] {address, address, address},
                                List.of(),
                                () -> "add [1000] and [1000]");
                    }
                })
                .isInstanceOf(CudaException.class)
                .hasMessage(
                        "Cannot add [1000] and [1000] on cuda:1: cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (700, an illegal"
                                + " memory access was encountered)");
        driver.reset();
    }

    @Test
    void aFaultThatShowsLateIsToldToo() {
        driver.deferWork();
        CudaLaunch tooMany = twicePlus(1000);
        assertThatThrownBy(() -> {
                    try (GpuStream stream = gpu().stream();
                            Blocks blocks = new Blocks(stream)) {
                        long address = blocks.take(100).address();
                        stream.launch(
                                tooMany,
                                new long[] {address, address, address},
                                List.of(),
                                () -> "add [1000] and [1000]");
                    }
                })
                .isInstanceOf(CudaException.class)
                .hasMessage("Cannot finish work, the latest to add [1000] and [1000], on cuda:1: cuStreamSynchronize:"
                        + " CUDA_ERROR_ILLEGAL_ADDRESS (700, an illegal memory access was encountered)");
        driver.reset();
    }

    @Test
    void threadsWorkBesideEachOther() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<ByteBuffer>> results = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int elements = 1 + i * 997;
                results.add(threads.submit(() -> compute(gpu(), elements)));
            }
            for (Future<ByteBuffer> result : results) {
                assertComputed(result.get());
            }
        } finally {
            threads.shutdown();
        }
        assertThat(driver.calls("cuStreamCreate")).isBetween(1L, 6L);
        assertThat(driver.calls("cuModuleLoadData")).isOne();
    }
}
