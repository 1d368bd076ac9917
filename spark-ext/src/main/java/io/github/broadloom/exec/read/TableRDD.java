package io.github.broadloom.exec.read;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.plan.ChunkGrid;
import java.util.List;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** The chunks of a table's column: one for each partition that has rows. */
final class TableRDD extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    private final transient List<Integer> parents;
    private final transient ChunkGrid grid;
    private final TableReader reader;

    /** @param parents the partitions with rows, one for each chunk; none where the one chunk is empty */
    TableRDD(RDD<InternalRow> rows, List<Integer> parents, ChunkGrid grid, TableReader reader) {
        super(rows.context(), Scala.seq(List.of(new Parents(rows, parents))), Scala.tag(Block.class));
        this.parents = parents;
        this.grid = grid;
        this.reader = reader;
    }

    /** Which partition a chunk is made of. */
    private static final class Parents extends NarrowDependency<InternalRow> {
        private static final long serialVersionUID = 1L;

        private final transient List<Integer> parents;

        Parents(RDD<InternalRow> rows, List<Integer> parents) {
            super(rows);
            this.parents = parents;
        }

        @Override
        public Seq<Object> getParents(int chunk) {
            return Scala.seq(parents.isEmpty() ? List.of() : List.<Object>of(parents.get(chunk)));
        }
    }

    /** A chunk's rows, and the partition that has them; empty where there are none. */
    private record Rows(int index, long firstRow, long count, Partition[] parent) implements Partition {
        private static final long serialVersionUID = 1L;
    }

    @SuppressWarnings("unchecked")
    private RDD<InternalRow> rows() {
        return (RDD<InternalRow>) dependencies().apply(0).rdd();
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] all = rows().partitions();
        Partition[] chunks = new Partition[grid.chunks()];
        for (int i = 0; i < chunks.length; i++) {
            Partition[] parent = parents.isEmpty() ? new Partition[0] : new Partition[] {all[parents.get(i)]};
            chunks[i] = new Rows(i, grid.box(i).start(0), grid.box(i).size(0), parent);
        }
        return chunks;
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        Rows chunk = (Rows) split;
        Iterator<InternalRow> cells =
                chunk.parent.length == 0 ? Scala.iterator(List.of()) : rows().iterator(chunk.parent[0], context);
        return Scala.iterator(List.of(Block.owning(reader.read(cells, chunk.firstRow, chunk.count), chunk.firstRow)));
    }
}
