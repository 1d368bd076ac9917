package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.metrics.TaskMeter;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.collection.Iterator;

/** Whether a block is the task's own, and not one that Spark keeps. */
public enum Fate {
    RELEASE,
    KEEP;

    public static Fate of(RDD<Block> rdd) {
        return rdd.getStorageLevel().equals(StorageLevel.NONE()) ? RELEASE : KEEP;
    }

    /** Before the task reads the block. */
    public Block begin(Block block) {
        if (this == KEEP) {
            block.hold();
        }
        return block;
    }

    /** The one block of a task's partition, which the task counts among what it holds. */
    public Block take(Iterator<Block> blocks) {
        Block block = begin(blocks.next());
        TaskMeter.holdsAtLeast(block);
        return block;
    }

    public void end(Block block) {
        if (this == KEEP) {
            block.letGo();
        } else {
            block.tensor().release();
        }
    }
}
