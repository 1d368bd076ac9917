package io.github.broadloom.exec;

import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;

/** Reads chunks that Spark may keep, and counts what that took. */
final class CachedChunks {
    private CachedChunks() {}

    /** The chunk of a partition, from the cache, here or elsewhere, or computed now. */
    static Block read(RDD<Block> rdd, Partition partition, TaskContext context) {
        Meter meter = Meter.of(context);
        boolean kept = !rdd.getStorageLevel().equals(StorageLevel.NONE());
        boolean here = !kept || isHere(rdd, partition);
        long inputBefore = inputBytes(context);
        long heldBefore = meter.memory().heldBytes();
        Block block = rdd.iterator(partition, context).next();
        long taken = meter.memory().heldBytes() - heldBefore;
        meter.memory().hold(Math.max(0, BlockCodec.payloadBytes(block.tensor()) - taken));
        if (!here && !isHere(rdd, partition)) { // computed, it would be
            Meter.count(Counted.FETCHED_BYTES, inputBytes(context) - inputBefore);
        }
        return block;
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
