package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.metrics.MeteredFunction;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/** Computes the block, which Spark then keeps. */
final class ComputeTask extends MeteredFunction<Block, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    protected Long run(TaskContext context, Iterator<Block> blocks) {
        return blocks.next().tensor().numel();
    }
}
