package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With memory that Spark has off the heap, cached chunks count there and not against the heap. */
class OffHeapCacheTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int ROWS = 48;
    private static final int WIDTH = 1 << 18;
    private static final double[] SUMS =
            IntStream.range(0, ROWS).mapToDouble(row -> (double) row * WIDTH).toArray();

    @AfterEach
    void stop() {
        LocalSpark.stop();
    }

    /** 48 MiB. */
    private static DistributedTensor rows(Broadloom broadloom) {
        Tensor rows = Tensors.arange(0, ROWS, 1).to(DType.FLOAT32).reshape(ROWS, 1);
        return broadloom.tensor(rows).add(Tensors.zeros(1, WIDTH));
    }

    private static Broadloom broadloom(String offHeapSize, String storageFraction) {
        LocalSpark.stop();
        return Broadloom.on(LocalSpark.session(
                        "spark.memory.offHeap.enabled",
                        "true",
                        "spark.memory.offHeap.size",
                        offHeapSize,
                        "spark.memory.fraction",
                        "0.01", // of the heap
                        "spark.memory.storageFraction",
                        storageFraction))
                .withChunkBytes(4 * MEBIBYTE);
    }

    private static double[] sums(DistributedTensor tensor) {
        return tensor.sum(1).collect().to(DType.FLOAT64).toDoubleArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MEMORY_ONLY", "MEMORY_AND_DISK"})
    void whatIsCachedNeedsNoHeapBesideIt(String level) {
        DistributedTensor cached = rows(broadloom("256m", "0.5")).cache(StorageLevel.fromString(level));
        cached.materialize();
        RDDInfo info = LocalSpark.stored(LocalSpark.session().sparkContext())[0];
        assertThat(info.numCachedPartitions()).isEqualTo(cached.chunks());
        assertThat(info.memSize()).isBetween(48 * MEBIBYTE, 49 * MEBIBYTE);
        assertThat(info.diskSize()).isZero();
        MemoryManager memory = SparkEnv.get().memoryManager();
        assertThat(memory.onHeapStorageMemoryUsed()).isLessThan(4 * MEBIBYTE);
        assertThat(memory.offHeapExecutionMemoryUsed()).isZero(); // tasks gave theirs back
        assertThat(sums(cached)).containsExactly(SUMS);
        cached.unpersist();
        assertThat(memory.offHeapStorageMemoryUsed()).isZero();
    }

    @Test
    void cachedChunksGiveWayToWhatTasksHoldAndToOtherChunks() {
        DistributedTensor first = rows(broadloom("64m", "0")).cache(StorageLevel.MEMORY_AND_DISK());
        first.materialize();
        DistributedTensor second = first.add(1).cache(StorageLevel.MEMORY_AND_DISK());
        second.materialize(); // 96 MiB, and what tasks hold
        long inMemory = 0;
        for (RDDInfo info : LocalSpark.stored(LocalSpark.session().sparkContext())) {
            assertThat(info.memSize() + info.diskSize()).isGreaterThanOrEqualTo(48 * MEBIBYTE);
            inMemory += info.memSize();
        }
        assertThat(inMemory).isBetween(MEBIBYTE, 64 * MEBIBYTE);
        assertThat(sums(second.sub(1))).containsExactly(SUMS);
        assertThat(sums(first)).containsExactly(SUMS);
    }
}
