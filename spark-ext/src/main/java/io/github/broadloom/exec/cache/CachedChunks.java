package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.GrantedMemory;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.jdk.javaapi.CollectionConverters;

/** Chunks that Spark may keep: where it does, and how they are read, which is counted. */
public final class CachedChunks {
    private CachedChunks() {}

    /**
     * Makes Spark keep chunks: off the heap, where they lie, as soon as {@code spark.memory.offHeap.size} sets memory aside there; else against the heap's share, which is all that there is. They
     * stay tensors in either case: a level that is off the heap and deserialized has no name among Spark's, whose own values cannot lie there, but since 4.2 its memory store counts values in the mode of their level.
     */
    public static <T> RDD<T> persist(RDD<T> chunks, StorageLevel level) {
        boolean values = level.useMemory() && level.deserialized();
        boolean offHeap = GrantedMemory.offHeapBytes(chunks.sparkContext().getConf()) > 0;
        return chunks.persist(
                values && offHeap ? StorageLevel.apply(level.useDisk(), true, true, true, level.replication()) : level);
    }

    /** A chunk that a task reads, and what becomes of it then: a copy that was made for this task, as of what another executor keeps, is its own. */
    public record Chunk(Block block, Fate fate) {
        public Tensor in(TaskScope scope) {
            return fate == Fate.RELEASE
                    ? scope.own(block.tensor())
                    : scope.hold(block).tensor();
        }
    }

    /** The chunk of a partition, from the cache, here or elsewhere, or computed now; what is not the task's own counts until it is {@linkplain TaskMeter#letGo let go}. */
    public static Chunk read(RDD<Block> rdd, Partition partition, TaskContext context) {
        return read(rdd, partition, 0, context);
    }

    /** Of the chunks of several outputs, that of one. */
    private static Chunk read(RDD<Block> rdd, Partition partition, int output, TaskContext context) {
        Cancellation.check();
        MemoryMeter memory = TaskMeter.of(context).memory();
        boolean kept = !rdd.getStorageLevel().equals(StorageLevel.NONE());
        boolean here = !kept || isHere(rdd, partition);
        long inputBefore = inputBytes(context);
        long heldBefore = memory.heldBytes();
        List<Block> blocks = new ArrayList<>(CollectionConverters.asJava(
                StoredRDD.read(rdd, partition, context).toSeq()));
        if (blocks.size() <= output) { // Spark takes bytes that end early for the end of the elements
            throw StoredRDD.missing(rdd, partition);
        }
        Block block = blocks.remove(output);
        if (memory.heldBytes() == heldBefore) { // nothing was made for this task
            TaskMeter.held(block.tensor());
        }
        boolean fetched = !here && !isHere(rdd, partition); // computed, it would be
        if (fetched) {
            TaskMeter.count(TaskMetric.FETCHED_BYTES, inputBytes(context) - inputBefore);
        }
        boolean stored = kept && !fetched && rdd.getStorageLevel().deserialized();
        Fate fate = stored || !block.isCopy() ? Fate.of(rdd) : Fate.RELEASE;
        if (fate == Fate.RELEASE) {
            blocks.forEach(other -> other.tensor().release());
        }
        return new Chunk(block, fate);
    }

    /** Does something with the chunk of a partition, and holds it no longer than that takes. */
    public static void use(RDD<Block> rdd, Partition partition, TaskContext context, Consumer<Block> use) {
        use(rdd, partition, 0, context, use);
    }

    /** Of the chunks of several outputs, that of one. */
    static void use(RDD<Block> rdd, Partition partition, int output, TaskContext context, Consumer<Block> use) {
        Chunk chunk = read(rdd, partition, output, context);
        Block block = chunk.fate.begin(chunk.block);
        try {
            use.accept(block);
        } finally {
            TaskMeter.letGo(block.tensor());
            chunk.fate.end(block);
        }
    }

    private static boolean isHere(RDD<Block> rdd, Partition partition) {
        RDDBlockId id = new RDDBlockId(rdd.id(), partition.index());
        return SparkEnv.get().blockManager().getStatus(id).isDefined();
    }

    /** What Spark has counted as read: it counts cached chunks, at the size that it stores them in. */
    private static long inputBytes(TaskContext context) {
        return context.taskMetrics().inputMetrics().bytesRead();
    }
}
