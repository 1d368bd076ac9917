package io.github.broadloom.exec;

import io.github.broadloom.tensor.MemoryMeter;
import java.util.function.Consumer;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;

/** Reads chunks that Spark may keep, and counts what that took. */
final class CachedChunks {
    private CachedChunks() {}

    /** The chunk of a partition, from the cache, here or elsewhere, or computed now; the task holds it until it ends. */
    static Block read(RDD<Block> rdd, Partition partition, TaskContext context) {
        return held(rdd, partition, context).block;
    }

    /** Does something with the chunk of a partition, and holds it no longer than that takes. */
    static void use(RDD<Block> rdd, Partition partition, TaskContext context, Consumer<Block> use) {
        Tasks.Fate fate = Tasks.Fate.of(rdd);
        Held held = held(rdd, partition, context);
        Block block = fate.begin(held.block);
        try {
            use.accept(block);
        } finally {
            fate.end(block);
            Meter.of(context).memory().letGo(held.bytes);
        }
    }

    /** @param bytes those that the task did not take itself */
    private record Held(Block block, long bytes) {}

    private static Held held(RDD<Block> rdd, Partition partition, TaskContext context) {
        MemoryMeter memory = Meter.of(context).memory();
        boolean kept = !rdd.getStorageLevel().equals(StorageLevel.NONE());
        boolean here = !kept || isHere(rdd, partition);
        long inputBefore = inputBytes(context);
        long heldBefore = memory.heldBytes();
        Block block = rdd.iterator(partition, context).next();
        long taken = memory.heldBytes() - heldBefore;
        long others = Math.max(0, BlockCodec.payloadBytes(block.tensor()) - taken);
        memory.hold(others);
        if (!here && !isHere(rdd, partition)) { // computed, it would be
            Meter.count(Counted.FETCHED_BYTES, inputBytes(context) - inputBefore);
        }
        return new Held(block, others);
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
