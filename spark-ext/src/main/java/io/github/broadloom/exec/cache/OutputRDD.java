package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;

/** The chunks of one of the outputs that a stage computes together: copies, because the stage's own are kept until all outputs are read, and then dropped together. */
public final class OutputRDD extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    private final int output;

    private OutputRDD(RDD<Block> outputs, int output) {
        super(outputs, Scala.tag(Block.class));
        this.output = output;
    }

    /** The chunks of each output, of an RDD whose elements are those of all. */
    public static List<RDD<Block>> of(RDD<Block> outputs, int count) {
        List<RDD<Block>> each = new ArrayList<>();
        for (int output = 0; output < count; output++) {
            each.add(count == 1 ? outputs : new OutputRDD(outputs, output));
        }
        return each;
    }

    @Override
    public Partition[] getPartitions() {
        return outputs().partitions();
    }

    private RDD<Block> outputs() {
        return firstParent(Scala.tag(Block.class));
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        List<Block> copies = new ArrayList<>();
        CachedChunks.use(outputs(), split, output, context, block -> copies.add(copy(block)));
        return Scala.iterator(copies);
    }

    private static Block copy(Block block) {
        return Block.owning(block.tensor().copy(), block.box().starts());
    }
}
