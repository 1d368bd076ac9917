package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.jobs.TaskScope;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
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

    /** The chunks, cut off from what they are computed from by a checkpoint that is made now. */
    RDD<Block> make(RDD<Block> chunks, JobRunner jobs, String title) {
        RDD<Block> cut = cut(chunks);
        boolean made = false;
        try {
            jobs.described("broadloom: checkpoint " + title, () -> {
                make(cut);
                return cut;
            });
            made = true;
            return cut;
        } finally {
            if (!made) {
                CleanUp.run(() -> {
                    jobs.awaitTasks(); // a late one would make the folder again
                    forget(cut);
                });
            }
        }
    }

    /** The chunks as they are to be checkpointed: those that nobody keeps are disposed of when they are written. */
    private RDD<Block> cut(RDD<Block> chunks) {
        boolean disposed = this == RELIABLE && chunks.getStorageLevel().equals(StorageLevel.NONE());
        RDD<Block> cut = disposed
                ? JavaRDD.fromRDD(chunks, Scala.tag(Block.class))
                        .mapPartitions(Checkpoint::disposed)
                        .rdd()
                : chunks;
        if (this == LOCAL) {
            cut.localCheckpoint();
        } else {
            cut.checkpoint();
        }
        return cut;
    }

    /** In a task, which needs its one block no longer than it lasts, as Spark's writer of checkpoints does not see to: the memory goes back to the pool then. */
    private static Iterator<Block> disposed(Iterator<Block> blocks) {
        Block block = blocks.next();
        TaskScope.of(TaskContext.get()).own(block.tensor());
        return List.of(block).iterator();
    }

    /** In one job, where {@code RDD.checkpoint} waits for the end of another and then computes everything a second time. */
    private static void make(RDD<Block> cut) {
        cut.checkpointData().get().checkpoint();
    }

    /** Forgets a checkpoint that failed, of which Spark would think for ever that it was being made; no task writes it any more. */
    private void forget(RDD<Block> cut) {
        cut.checkpointData_$eq(Option.empty());
        if (this == RELIABLE) {
            deleteFiles(cut);
        }
    }

    private static void deleteFiles(RDD<Block> chunks) {
        try {
            ReliableRDDCheckpointData.cleanCheckpoint(chunks.context(), chunks.id());
        } catch (RuntimeException | Error e) { // the folder is out of reach, as it may have been for the tasks
            LOG.warn("Cannot delete what is left of a checkpoint that failed", e);
        }
    }
}
