package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.metrics.MeteredFunction;
import io.github.broadloom.plan.Box;
import io.github.broadloom.tensor.MemoryMeter;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/** Brings the elements of a box to the driver. */
final class CollectTask extends MeteredFunction<Block, ChunkBytes> {
    private static final long serialVersionUID = 1L;
    private final Fate fate;
    private final Box box;

    CollectTask(Fate fate, Box box) {
        this.fate = fate;
        this.box = box;
    }

    @Override
    protected ChunkBytes run(TaskContext context, Iterator<Block> blocks) {
        Block block = fate.take(blocks);
        try {
            ChunkBytes bytes = ChunkBytes.of(box.intersection(block.box()).of(block.tensor(), block.box()));
            MemoryMeter.array(bytes.sizeBytes());
            return bytes;
        } finally {
            fate.end(block);
        }
    }
}
