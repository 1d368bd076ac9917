package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTest {
    private static final int ROWS = 64;
    private static final long BYTES = ROWS * 65_536L * 4;

    @AfterEach
    void stop() {
        LocalSpark.stop();
    }

    private static SparkSession session(String serializer) {
        LocalSpark.stop();
        return SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.serializer", "org.apache.spark.serializer." + serializer)
                .getOrCreate();
    }

    private static Tensor numbers() {
        return Tensors.arange(ROWS * 65_536L)
                .to(io.github.broadloom.dtype.DType.FLOAT32)
                .view(ROWS, 65_536);
    }

    private static StorageLevel level(String name) {
        return StorageLevel.fromString(name);
    }

    private static RDDInfo stored(SparkContext context) {
        RDDInfo[] infos = context.getRDDStorageInfo();
        assertThat(infos).hasSize(1);
        return infos[0];
    }

    @Test
    void aMaterializedTensorIsComputedAtOnceAndOnce() {
        SparkSession session = session("JavaSerializer");
        Tensor x = numbers();
        DistributedTensor y = Broadloom.on(session).tensor(x, 4).add(1);
        assertThat(y.materialize()).isSameAs(y);
        assertThat(stored(session.sparkContext()).numCachedPartitions()).isEqualTo(4);
        Bits.assertSame(y.materialize().sub(1).collect(), x);
        assertThat(stored(session.sparkContext()).numCachedPartitions()).isEqualTo(4);
        y.unpersist();
        assertThat(session.sparkContext().getRDDStorageInfo()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "JavaSerializer,MEMORY_ONLY",
        "JavaSerializer,MEMORY_ONLY_SER",
        "JavaSerializer,DISK_ONLY",
        "KryoSerializer,MEMORY_ONLY",
        "KryoSerializer,MEMORY_AND_DISK_SER",
        "KryoSerializer,DISK_ONLY"
    })
    void aCachedTensorIsCountedAtItsTrueSizeAndReadBackTheSame(String serializer, String level) {
        SparkSession session = session(serializer);
        Tensor x = numbers();
        DistributedTensor y = Broadloom.on(session).tensor(x, 4).add(1).cache(level(level));
        Tensor first = y.collect();
        RDDInfo info = stored(session.sparkContext());
        assertThat(info.numCachedPartitions()).isEqualTo(4);
        assertThat(info.memSize() + info.diskSize()).isBetween(BYTES, BYTES + BYTES / 100);
        if (level.equals("DISK_ONLY")) {
            assertThat(info.memSize()).isZero();
        }
        Bits.assertSame(y.collect(), first);
        Bits.assertSame(y.sub(1).collect(), x);
        y.unpersist();
        assertThat(session.sparkContext().getRDDStorageInfo()).isEmpty();
    }

    @Test
    void aSecondActionReadsTheCacheAndNotTheSource() throws Exception {
        DistributedTensor y = LocalSpark.broadloom().tensor(numbers(), 4).add(1).cache();
        y.sum().collect();
        try (Jobs jobs = Jobs.listen()) {
            assertThat(y.explain()).contains("same cuts");
            y.mul(2).sum().collect();
            assertThat(jobs.tasks()).isEqualTo(4);
        }
        y.unpersist();
        assertThat(y.explain()).doesNotContain("same cuts");
    }

    @Test
    void blocksThatAreEvictedLiveOnWhereTheyAreStillUsed() {
        LocalSpark.stop();
        SparkSession session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                // Room for one of the two tensors.
                .config("spark.testing.memory", 64L << 20)
                .config("spark.testing.reservedMemory", 0)
                .getOrCreate();
        Broadloom broadloom = Broadloom.on(session);
        Tensor x = numbers();
        DistributedTensor a = broadloom.tensor(x, 8).add(1).cache(StorageLevel.MEMORY_ONLY());
        DistributedTensor b = broadloom.tensor(x, 8).add(2).cache(StorageLevel.MEMORY_AND_DISK());
        DistributedTensor c = broadloom.tensor(x, 8).add(3).cache(StorageLevel.MEMORY_AND_DISK());
        for (int round = 0; round < 2; round++) {
            assertThat(a.amin().collect().item()).isEqualTo(1.0);
            assertThat(b.amin().collect().item()).isEqualTo(2.0);
            assertThat(c.sub(b).add(a.sub(broadloom.tensor(x))).amax().collect().item())
                    .isEqualTo(2.0);
        }
        long memory = 0;
        long disk = 0;
        for (RDDInfo info : session.sparkContext().getRDDStorageInfo()) {
            memory += info.memSize();
            disk += info.diskSize();
        }
        assertThat(memory).isLessThan(64L << 20);
        assertThat(disk).isPositive();
    }

    @Test
    void aDroppedTensorIsNotKeptAgainForAnotherThatWasPlannedOnIt() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor y = broadloom.tensor(numbers(), 4).add(1).cache();
        DistributedTensor z = y.mul(2).cache();
        y.unpersist();
        assertThat(z.amin().collect().item()).isEqualTo(2.0);
        z.unpersist();
        assertThat(broadloom.context().getPersistentRDDs().size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JavaSerializer", "KryoSerializer"})
    void droppedBlocksAreFreed(String serializer) {
        Broadloom broadloom = Broadloom.on(session(serializer));
        cacheAndDrop(broadloom);
        Memory.awaitReleased();
    }

    private static void cacheAndDrop(Broadloom broadloom) {
        DistributedTensor y =
                broadloom.tensor(Tensors.ones(ROWS, 65_536), 4).add(1).cache();
        y.sum().collect();
        assertThat(Memory.allocatedBytes()).isGreaterThanOrEqualTo(BYTES);
        y.unpersist();
    }
}
