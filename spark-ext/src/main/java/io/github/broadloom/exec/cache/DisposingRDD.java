package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.TaskScope;
import java.util.List;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;

/** Blocks that no task needs once it has ended, as Spark's writer of checkpoints does not: their memory goes back to the pool then. */
final class DisposingRDD extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    DisposingRDD(RDD<Block> blocks) {
        super(blocks.context(), Scala.seq(List.of(new OneToOneDependency<>(blocks))), Scala.tag(Block.class));
    }

    @SuppressWarnings("unchecked")
    private RDD<Block> blocks() {
        return (RDD<Block>) dependencies().apply(0).rdd();
    }

    @Override
    public Partition[] getPartitions() {
        return blocks().partitions();
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        TaskScope scope = TaskScope.of(context);
        Block block = blocks().iterator(split, context).next();
        scope.own(block.tensor());
        return Scala.iterator(List.of(block));
    }
}
