package io.github.broadloom.exec;

import io.github.broadloom.plan.RowGrid;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;

/** Each chunk needs the parent's chunks whose rows overlap its own: matched by row, never by partition number. */
final class RowsDependency extends NarrowDependency<Block> {
    private static final long serialVersionUID = 1L;

    private final RowGrid grid;
    private final RowGrid parentGrid;

    RowsDependency(RDD<Block> parent, RowGrid grid, RowGrid parentGrid) {
        super(parent);
        this.grid = grid;
        this.parentGrid = parentGrid;
    }

    @Override
    public Seq<Object> getParents(int partition) {
        List<Object> parents = new ArrayList<>();
        for (int parent : parentGrid.overlapping(grid.start(partition), grid.end(partition))) {
            parents.add(parent);
        }
        return Scala.seq(parents);
    }
}
