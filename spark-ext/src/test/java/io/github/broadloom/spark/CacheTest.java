package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.broadloom.SomeOf;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTest {
    private static final int ROWS = 64;
    private static final long BYTES = ROWS * 65_536L * 4;

    /** For {@link StorageLevel#OFF_HEAP}, where Spark keeps serialised blocks. */
    private static final String[] OFF_HEAP = {
        "spark.memory.offHeap.enabled", "true",
        "spark.memory.offHeap.size", "128m"
    };

    @AfterEach
    void stop() {
        LocalSpark.stop();
    }

    private static SparkSession session(String serializer, String... settings) {
        LocalSpark.stop();
        List<String> all = new ArrayList<>(List.of(
                "spark.serializer",
                "org.apache.spark.serializer." + serializer,
                "spark.kryo.registrationRequired",
                "true",
                "spark.kryo.registrator",
                KryoClasses.class.getName()));
        all.addAll(List.of(settings));
        return LocalSpark.session(all.toArray(String[]::new));
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
        RDDInfo[] infos = LocalSpark.stored(context);
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
        assertThat(LocalSpark.stored(session.sparkContext())).isEmpty();
    }

    static Stream<Arguments> levels() {
        return Stream.of(
                Arguments.of("JavaSerializer", "MEMORY_ONLY"),
                Arguments.of("JavaSerializer", "MEMORY_ONLY_SER"),
                Arguments.of("JavaSerializer", "DISK_ONLY_2"),
                Arguments.of("JavaSerializer", "OFF_HEAP"),
                Arguments.of("KryoSerializer", "OFF_HEAP"),
                Arguments.of("KryoSerializer", "MEMORY_ONLY_2"),
                Arguments.of("KryoSerializer", "MEMORY_AND_DISK_SER"),
                Arguments.of("KryoSerializer", "DISK_ONLY"));
    }

    @SomeOf(value = "levels", oneIn = 4)
    void aCachedTensorIsCountedAtItsTrueSizeAndReadBackTheSame(String serializer, String level) {
        SparkSession session = session(serializer, OFF_HEAP);
        Tensor x = numbers();
        DistributedTensor y = Broadloom.on(session).tensor(x, 4).add(1).cache(level(level));
        Tensor first = y.collect();
        RDDInfo info = stored(session.sparkContext());
        assertThat(info.numCachedPartitions()).isEqualTo(4);
        assertThat(info.memSize() + info.diskSize()).isBetween(BYTES, BYTES + BYTES / 100);
        if (level.startsWith("DISK_ONLY")) {
            assertThat(info.memSize()).isZero();
        }
        Bits.assertSame(y.collect(), first);
        Bits.assertSame(y.sub(1).collect(), x);
        y.unpersist();
        assertThat(LocalSpark.stored(session.sparkContext())).isEmpty();
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

    /** Nothing here knows of encryption and compression: they are Spark's, for whoever sets them. */
    @ParameterizedTest
    @CsvSource({
        "JavaSerializer,MEMORY_ONLY_SER",
        "JavaSerializer,DISK_ONLY",
        "KryoSerializer,DISK_ONLY",
        "KryoSerializer,OFF_HEAP",
    })
    void encryptedAndCompressedChunksAreReadBackTheSame(String serializer, String level) {
        SparkSession session = session(
                serializer,
                Stream.of(OFF_HEAP, new String[] {"spark.io.encryption.enabled", "true", "spark.rdd.compress", "true"})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
        Tensor x = numbers();
        DistributedTensor y = Broadloom.on(session).tensor(x, 4).mul(0).cache(level(level));
        y.collect();
        RDDInfo info = stored(session.sparkContext());
        assertThat(info.numCachedPartitions()).isEqualTo(4);
        assertThat(info.memSize() + info.diskSize()).isBetween(1L, BYTES / 10);
        Bits.assertSame(y.add(Broadloom.on(session).tensor(x, 3)).collect(), x);
        y.unpersist();
    }

    @ParameterizedTest
    @CsvSource({
        "JavaSerializer,MEMORY_AND_DISK,false",
        "KryoSerializer,MEMORY_AND_DISK,true",
        "KryoSerializer,MEMORY_AND_DISK_SER,true"
    })
    void blocksThatAreEvictedLiveOnWhereTheyAreStillUsed(String serializer, String level, boolean encrypted) {
        SparkSession session = session(
                serializer,
                // Room for one of the two tensors.
                "spark.testing.memory",
                String.valueOf(64L << 20),
                "spark.testing.reservedMemory",
                "0",
                "spark.io.encryption.enabled",
                String.valueOf(encrypted));
        Broadloom broadloom = Broadloom.on(session);
        Tensor x = numbers();
        DistributedTensor a = broadloom.tensor(x, 8).add(1).cache(StorageLevel.MEMORY_ONLY());
        DistributedTensor b = broadloom.tensor(x, 8).add(2).cache(level(level));
        DistributedTensor c = broadloom.tensor(x, 8).add(3).cache(level(level));
        for (int round = 0; round < 2; round++) {
            assertThat(a.amin().collect().item()).isEqualTo(1.0);
            assertThat(b.amin().collect().item()).isEqualTo(2.0);
            assertThat(c.sub(b).add(a.sub(broadloom.tensor(x))).amax().collect().item())
                    .isEqualTo(2.0);
        }
        long memory = 0;
        long disk = 0;
        for (RDDInfo info : LocalSpark.stored(session.sparkContext())) {
            memory += info.memSize();
            disk += info.diskSize();
        }
        assertThat(memory).isLessThan(64L << 20);
        assertThat(disk).isPositive();
        Bits.assertSame(b.collect(), LazyTensor.of(x).add(2).compute());
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

    /** Spark tries a task of a local master once. */
    @ParameterizedTest
    @ValueSource(strings = {"JavaSerializer", "KryoSerializer"})
    void aChunkThatTheDiskDamagedIsRefusedAndThenComputedAgain(String serializer) throws IOException {
        SparkSession session = session(serializer);
        Tensor x = numbers();
        DistributedTensor y = Broadloom.on(session).tensor(x, 4).add(1).cache(StorageLevel.DISK_ONLY());
        y.sum().collect();
        RDDBlockId second = new RDDBlockId(stored(session.sparkContext()).id(), 1);
        File file = SparkEnv.get().blockManager().diskBlockManager().getFile(second);
        try (RandomAccessFile bytes = new RandomAccessFile(file, "rw")) {
            bytes.seek(file.length() / 2);
            int now = bytes.read();
            bytes.seek(file.length() / 2);
            bytes.write(now ^ 1);
        }
        assertThatThrownBy(y::collect)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("Cannot receive a block of a tensor of float32 [")
                .hasMessageContaining("it arrived damaged, with CRC-32C ")
                .hasMessageEndingWith("; look at the network and the disks of this machine");
        await(() -> !SparkEnv.get().blockManager().getStatus(second).isDefined());
        Bits.assertSame(y.sub(1).collect(), x);
        y.unpersist();
    }

    /** Spark drops blocks some time after it is told to. */
    private static void await(BooleanSupplier gone) {
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            while (!gone.getAsBoolean()) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void whatEqualsACachedTensorIsKeptAtALevelOfItsOwn() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x = broadloom.tensor(numbers(), 4).add(1).materialize();
        DistributedTensor same = x.mul(1).cache(StorageLevel.DISK_ONLY());
        Bits.assertSame(same.collect(), x.collect());
        x.unpersist();
        RDDInfo kept = stored(broadloom.context());
        assertThat(kept.numCachedPartitions()).isEqualTo(4);
        assertThat(kept.diskSize()).isPositive();
        same.unpersist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JavaSerializer", "KryoSerializer"})
    void droppedBlocksAreFreed(String serializer) {
        Broadloom broadloom = Broadloom.on(session(serializer));
        cacheAndDrop(broadloom);
        Memory.awaitReleased();
    }

    @ParameterizedTest
    @CsvSource({"7,12", "12,7", "5,5", "1,9", "9,1", "64,3", "13,64"})
    void whereCutsDifferATaskReadsAtMostOneChunkMoreThanItNeeds(int cuts, int keptCuts) throws Exception {
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor x = Tensors.arange(ROWS * 1000L).view(ROWS, 1000);
        DistributedTensor kept = broadloom.tensor(x, keptCuts).mul(3).materialize();
        DistributedTensor y = broadloom.tensor(x, cuts).sub(kept);
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(y.collect(), LazyTensor.of(x).mul(-2).compute());
            int rows = (ROWS + y.chunks() - 1) / y.chunks();
            int keptRows = ROWS / keptCuts;
            assertThat(jobs.keptBlocks())
                    .hasSize(y.chunks())
                    .allSatisfy(read -> assertThat(read).isBetween(1L, (rows + keptRows - 1) / keptRows + 1L));
        }
        kept.unpersist();
    }

    @Test
    void aGridReadsEachBlockAsOftenAsThePlanSays() throws Exception {
        Broadloom broadloom = LocalSpark.broadloom().withReplicateBytes(1 << 16).withChunkBytes(1 << 20);
        Tensor x = Tensors.arange(64 * 1000L).view(64, 1000);
        DistributedTensor rows = broadloom.tensor(x, 4).mul(2).materialize();
        DistributedTensor columns =
                broadloom.tensor(x.narrow(0, 0, 48), 3).mul(3).materialize();
        DistributedTensor y = rows.unsqueeze(1).sub(columns.unsqueeze(0)).sum(2);
        assertThat(y.explain())
                .containsPattern(
                        "grid: .*, and each block is read 2 times\n.*grid: .*, and each block is read 2 times");
        try (Jobs jobs = Jobs.listen()) {
            LazyTensor local = LazyTensor.of(x).mul(2).unsqueeze(1);
            LazyTensor other = LazyTensor.of(x.narrow(0, 0, 48)).mul(3).unsqueeze(0);
            Bits.assertSame(y.collect(), local.sub(other).sum(2).compute());
            assertThat(jobs.descriptions()).hasSize(1);
            assertThat(jobs.shuffledBytes()).isZero();
            long read = jobs.keptBlocks().stream().mapToLong(Long::longValue).sum();
            assertThat(read).isEqualTo(2 * (4 + 3));
        }
        rows.unpersist();
        columns.unpersist();
    }

    private static void cacheAndDrop(Broadloom broadloom) {
        DistributedTensor y =
                broadloom.tensor(Tensors.ones(ROWS, 65_536), 4).add(1).cache();
        y.sum().collect();
        assertThat(Memory.allocatedBytes()).isGreaterThanOrEqualTo(BYTES);
        y.unpersist();
    }
}
