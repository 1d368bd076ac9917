package io.github.broadloom.exec;

import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ReliableRDDCheckpointData;
import org.apache.spark.storage.StorageLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/** How the chunks of a tensor are made independent of what they were computed from, in Spark's words. */
public enum Checkpoint {
    /** Not at all. */
    NONE,
    /** In files of the folder that {@code SparkContext.setCheckpointDir} names. */
    RELIABLE,
    /** In the memory and on the disks of the executors: lost with them. */
    LOCAL;

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoint.class);

    /**
     * Makes the checkpoint now, in one job, where {@code RDD.checkpoint} waits for the end of another and then computes everything a second time.
     *
     * @return the chunks, cut off from where they come from
     */
    RDD<Block> make(RDD<Block> chunks) {
        RDD<Block> cut = chunks;
        if (this == LOCAL) {
            chunks.localCheckpoint();
        } else {
            boolean cached = !chunks.getStorageLevel().equals(StorageLevel.NONE());
            cut = cached ? chunks : new DisposingRDD(chunks);
            cut.checkpoint();
        }
        boolean made = false;
        try {
            cut.checkpointData().get().checkpoint();
            made = true;
        } finally {
            if (!made) { // else Spark would think for ever that it was being made
                cut.checkpointData_$eq(Option.empty());
                if (this == RELIABLE) {
                    deleteFiles(cut);
                }
            }
        }
        return cut;
    }

    /** What tasks have written of a checkpoint that failed. */
    private static void deleteFiles(RDD<Block> chunks) {
        try {
            ReliableRDDCheckpointData.cleanCheckpoint(chunks.context(), chunks.id());
        } catch (RuntimeException | Error e) { // the folder is out of reach, as it may have been for the tasks
            LOG.warn("Cannot delete what is left of a checkpoint that failed", e);
        }
    }
}
