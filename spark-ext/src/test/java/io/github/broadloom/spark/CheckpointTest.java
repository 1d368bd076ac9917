package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.compute.Lineage;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointTest {
    private static final int ROWS = 50;
    private static final int ROUNDS = 8;

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        restart("spark.cleaner.referenceTracking.cleanCheckpoints", "true");
        setFolder(folder);
    }

    private static void setFolder(Path folder) {
        context().hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
        context().setCheckpointDir("remote://" + folder);
    }

    private static void restart(String... settings) {
        LocalSpark.stop();
        LocalSpark.session(settings);
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    private static SparkContext context() {
        return LocalSpark.session().sparkContext();
    }

    private static Tensor numbers() {
        return Tensors.arange(ROWS * 30).to(DType.FLOAT32).view(ROWS, 30);
    }

    private static DistributedTensor doubled() {
        return LocalSpark.broadloom().tensor(numbers(), 4).mul(2);
    }

    private static Tensor expected() {
        return LazyTensor.of(numbers()).mul(2).compute();
    }

    /** Spark's files with chunks. */
    private List<Path> files() throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .toList();
        }
    }

    @Test
    void aCheckpointIsMadeAtOnceInOneJobAndReadBackTheSame() throws Exception {
        DistributedTensor y = doubled();
        try (Jobs jobs = Jobs.listen()) {
            assertThat(y.checkpoint()).isSameAs(y);
            assertThat(jobs.descriptions()).containsExactly("broadloom: checkpoint tensor * 2");
            assertThat(jobs.tasks()).isEqualTo(4);
        }
        assertThat(files()).hasSize(4);
        assertThat(y.explain()).contains("checkpoint");
        Bits.assertSame(y.collect(), expected());
        Bits.assertSame(y.checkpoint().collect(), expected());
        assertThat(files()).hasSize(4);
        Memory.awaitReleased(); // nothing of it is cached
    }

    @Test
    void aLazyCheckpointIsMadeByTheFirstActionThatComputesEachChunkOnce() throws Exception {
        DistributedTensor y = doubled().checkpoint(Eagerness.LAZY);
        assertThat(files()).isEmpty();
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(y.collect(), expected());
            assertThat(jobs.descriptions()).hasSize(2).first().isEqualTo("broadloom: checkpoint tensor * 2");
        }
        assertThat(files()).hasSize(4);
        Bits.assertSame(y.collect(), expected());
    }

    @Test
    void aLazyCheckpointThatIsUnpersistedFirstIsNeverMade() throws IOException {
        DistributedTensor y = doubled().checkpoint(Eagerness.LAZY).unpersist();
        Bits.assertSame(y.collect(), expected());
        assertThat(files()).isEmpty();
    }

    @Test
    void whatTheCheckpointWasComputedFromIsForgotten() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x = broadloom.tensor(numbers(), 2);
        for (int round = 0; round < ROUNDS; round++) {
            x = x.add(1).mul(0.5).checkpoint();
        }
        assertThat(x.expr().children()).isEmpty();
        RDD<?> chunks = Lineage.of(x.expr(), context());
        assertThat(chunks.toDebugString().lines()).hasSize(2); // itself and Spark's reader of the files
        LazyTensor expected = LazyTensor.of(numbers());
        for (int round = 0; round < ROUNDS; round++) {
            expected = expected.add(1).mul(0.5);
        }
        Bits.assertSame(x.collect(), expected.compute());
    }

    @Test
    void theFilesGoWhenNobodyRefersToThem() throws Exception {
        checkpointAndForget();
        for (int i = 0; i < 200 && !files().isEmpty(); i++) {
            System.gc(); // wakes Spark's cleaner
            Thread.sleep(20);
        }
        assertThat(files()).isEmpty();
    }

    private void checkpointAndForget() throws IOException {
        doubled().checkpoint();
        assertThat(files()).hasSize(4);
    }

    @Test
    void aCachedTensorIsNotComputedAgainForItsCheckpointAndOutlivesItsCache() throws Exception {
        DistributedTensor y = doubled().materialize();
        assertThat(y.checkpoint().explain()).contains("cached, with a checkpoint");
        assertThat(LocalSpark.stored(context())).hasSize(1);
        Bits.assertSame(y.collect(), expected());
        y.unpersist();
        assertThat(LocalSpark.stored(context())).isEmpty();
        Bits.assertSame(y.collect(), expected());
        y.materialize();
        assertThat(LocalSpark.stored(context())[0].numCachedPartitions()).isEqualTo(4);
        Bits.assertSame(y.collect(), expected());
        y.unpersist();
        Bits.assertSame(y.add(0).collect(), expected());
        Memory.awaitReleased();
    }

    @Test
    void cutsOfACheckpointMeetThoseOfOthers() {
        DistributedTensor a = doubled().checkpoint();
        DistributedTensor b = LocalSpark.broadloom().tensor(numbers(), 7).checkpoint();
        assertThat(a.sub(b).explain()).contains("cut differently");
        Bits.assertSame(a.sub(b).collect(), numbers());
        Bits.assertSame(a.sub(b).materialize().collect(), numbers());
    }

    @Test
    void withoutAFolderTheSentenceNamesTheRemedy() {
        restart();
        DistributedTensor y = doubled();
        for (Eagerness eagerness : Eagerness.values()) {
            assertThatThrownBy(() -> y.checkpoint(eagerness))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "Cannot checkpoint tensor * 2: no folder is set; call SparkContext.setCheckpointDir with"
                                    + " one that all machines reach, or use localCheckpoint()");
        }
        Bits.assertSame(y.collect(), expected());
    }

    private enum End {
        CANCELLED,
        INTERRUPTED
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatIsLateDoesNotMakeTheFilesOfACancelledCheckpointAgain(End end) throws Exception {
        DistributedTensor y = doubled();
        SparkContext context = context();
        Thread here = Thread.currentThread();
        Runnable ending = end == End.CANCELLED ? context::cancelAllJobs : here::interrupt;
        AtomicBoolean ended = new AtomicBoolean();
        RemoteFileSystem.watch((operation, path) -> {
            TaskContext task = TaskContext.get();
            if (task != null && operation == RemoteFileSystem.Operation.MAKE_FOLDER) {
                if (!ended.getAndSet(true)) {
                    ending.run();
                }
                Cluster.await("the cancellation", task::isInterrupted);
                awaitDeletion(path);
            }
        });
        try (Jobs jobs = Jobs.listen()) {
            assertThatThrownBy(y::checkpoint).hasMessageStartingWith("Cannot ");
            assertThat(Thread.interrupted()).isEqualTo(end == End.INTERRUPTED);
            jobs.awaitNoTask();
        } finally {
            RemoteFileSystem.unwatch();
        }
        assertNoFolder();
        Bits.assertSame(y.collect(), expected());
    }

    /** Long enough for a driver that does not wait for the task. */
    private static void awaitDeletion(org.apache.hadoop.fs.Path path) {
        Path local = Path.of(path.toUri().getPath());
        for (int i = 0; i < 50 && Files.exists(local); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void assertNoFolder() throws IOException {
        try (var all = Files.walk(folder)) {
            assertThat(all.map(each -> each.getFileName().toString())).noneMatch(name -> name.startsWith("rdd-"));
        }
    }

    @Test
    void aCheckpointWhoseTaskFailsLeavesNoFile(@TempDir Path inputs) throws IOException {
        Path file = inputs.resolve("x.npy");
        Npy.write(numbers(), file, WriteMode.CREATE);
        DistributedTensor x = LocalSpark.broadloom().readNpy(file.toString()).mul(2);
        Files.delete(file);
        assertThatThrownBy(x::checkpoint).hasMessage("Cannot open " + file + ": there is no such file");
        assertNoFolder();
    }

    @Test
    void aCheckpointThatFailsLeavesTheTensorAsItWas() throws IOException {
        DistributedTensor y = doubled();
        DistributedTensor cached = doubled().cache();
        Path gone = folder.resolve("x");
        setFolder(gone);
        Path uuid =
                Path.of(java.net.URI.create(context().getCheckpointDir().get()).getPath());
        Files.delete(uuid);
        Files.writeString(uuid, "a file where the folder was");
        assertThatThrownBy(y::checkpoint).hasMessageNotContaining("\n");
        assertThatThrownBy(cached::checkpoint).hasMessageNotContaining("\n");
        Bits.assertSame(y.collect(), expected());
        Bits.assertSame(cached.collect(), expected());
        setFolder(folder);
        Bits.assertSame(y.checkpoint().collect(), expected());
        Bits.assertSame(cached.checkpoint().collect(), expected());
        assertThat(files()).hasSize(8);
        cached.unpersist();
    }

    @ParameterizedTest
    @EnumSource
    void aLocalCheckpointIsKeptByTheExecutorsUntilItIsUnpersisted(Eagerness eagerness) throws IOException {
        DistributedTensor y = doubled().localCheckpoint(StorageLevel.MEMORY_ONLY(), eagerness);
        DistributedTensor more = y.add(0);
        Bits.assertSame(more.collect(), expected());
        Bits.assertSame(y.collect(), expected());
        RDDInfo[] kept = LocalSpark.stored(context());
        assertThat(kept).hasSize(1);
        assertThat(kept[0].numCachedPartitions()).isEqualTo(4);
        assertThat(kept[0].storageLevel().useDisk()).isTrue();
        assertThat(Lineage.of(y.expr(), context()).toDebugString()).contains("LocalCheckpointRDD");
        assertThat(files()).isEmpty();
        y.unpersist();
        assertThat(LocalSpark.stored(context())).isEmpty();
        for (DistributedTensor lost : List.of(y, more)) {
            assertThatThrownBy(lost::collect)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot read tensor * 2: its local checkpoint was unpersisted, and what it was computed"
                            + " from is forgotten; build it again, or use checkpoint()");
        }
        assertThat(y.toString()).contains("cannot be computed");
    }

    @Test
    void aLocalCheckpointOfWhatSparkMayDropIsAnother() {
        DistributedTensor y = doubled().cache(StorageLevel.MEMORY_ONLY());
        y.collect();
        y.localCheckpoint();
        List<Boolean> onDisk = new ArrayList<>();
        for (RDDInfo kept : LocalSpark.stored(context())) {
            onDisk.add(kept.storageLevel().useDisk());
        }
        assertThat(onDisk).containsExactlyInAnyOrder(true, false);
        Bits.assertSame(y.collect(), expected());
        Bits.assertSame(y.checkpoint().collect(), expected());
        y.unpersist();
        assertThat(LocalSpark.stored(context())).isEmpty();
        Bits.assertSame(y.collect(), expected());
    }

    @ParameterizedTest
    @CsvSource({"JavaSerializer,true", "KryoSerializer,false"})
    void bothSerialisersCarryIt(String serializer, boolean compressed) {
        restart(
                "spark.serializer",
                "org.apache.spark.serializer." + serializer,
                "spark.kryo.registrationRequired",
                "true",
                "spark.kryo.registrator",
                KryoClasses.class.getName(),
                "spark.checkpoint.compress",
                String.valueOf(compressed));
        setFolder(folder);
        DistributedTensor y = doubled().checkpoint();
        Bits.assertSame(y.collect(), expected());
        assertThat(y.sum().collect().item()).isEqualTo(1500.0 * 1499);
        DistributedTensor local = doubled().localCheckpoint(StorageLevel.DISK_ONLY(), Eagerness.EAGER);
        Bits.assertSame(local.sub(y).collect(), Tensors.zeros(ROWS, 30));
        local.unpersist();
    }
}
