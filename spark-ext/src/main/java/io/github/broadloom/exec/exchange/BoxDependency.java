package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import java.util.ArrayList;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;

/** Each chunk needs the parent's chunks that overlap its own: matched by index, never by partition number. */
final class BoxDependency extends NarrowDependency<Block> {
    private static final long serialVersionUID = 1L;

    /** Asked on the driver alone, as the others are. */
    private final transient ChunkGrid grid;

    private final transient Access access;
    private final transient ChunkGrid parentGrid;

    BoxDependency(RDD<Block> parent, ChunkGrid grid, Access access, ChunkGrid parentGrid) {
        super(parent);
        this.grid = grid;
        this.access = access;
        this.parentGrid = parentGrid;
    }

    @Override
    public Seq<Object> getParents(int partition) {
        return Scala.seq(new ArrayList<Object>(parentGrid.overlapping(access.box(grid.box(partition)))));
    }
}
