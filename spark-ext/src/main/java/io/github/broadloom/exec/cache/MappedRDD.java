package io.github.broadloom.exec.cache;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;

/** What a user's function makes of chunks, each of which is held against what was declared. */
public final class MappedRDD extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    private final BlockFunction function;
    private final DType dtype;
    private final Shape row;
    private final String name;
    /** Whether Spark keeps the chunks, which then have to stay as they are. */
    private final boolean kept;

    /**
     * @param row the shape that the function makes of a row
     * @param name of what the chunks are of
     */
    public MappedRDD(RDD<Block> chunks, BlockFunction function, DType dtype, Shape row, String name) {
        super(chunks, Scala.tag(Block.class));
        this.function = function;
        this.dtype = dtype;
        this.row = row;
        this.name = name;
        this.kept = Fate.of(chunks) == Fate.KEEP;
    }

    @Override
    public Partition[] getPartitions() {
        return chunks().partitions();
    }

    private RDD<Block> chunks() {
        return firstParent(Scala.tag(Block.class));
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        List<Block> mapped = new ArrayList<>();
        CachedChunks.use(chunks(), split, context, block -> mapped.add(mapped(block, split.index())));
        return Scala.iterator(mapped);
    }

    private Block mapped(Block block, int chunk) {
        Tensor rows = kept ? block.tensor().copy() : block.tensor();
        try {
            Tensor value = function.apply(rows).to(Device.CPU);
            Shape wanted = row.withLeading(rows.shape().size(0));
            if (value.dtype() != dtype || !value.shape().equals(wanted)) {
                long first = block.firstRow();
                throw new IllegalArgumentException("Cannot map chunk " + chunk + " of " + name + ", the rows from "
                        + first + " to before " + (first + rows.shape().size(0)) + ": the function gave "
                        + value.dtype() + " " + value.shape() + ", and " + dtype + " " + wanted + " was declared");
            }
            boolean own = value.storage() != rows.storage() && value.isContiguous();
            return Block.owning(own ? value : value.copy(), block.firstRow());
        } finally {
            if (kept) {
                rows.release();
            }
        }
    }
}
