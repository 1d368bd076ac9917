package io.github.broadloom.exec.write;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The rows of chunks, each a partition. The chunks are asked for when the first job needs them: what has to be computed before them, such as a mean over all rows, runs then. */
final class RowsRDD extends RDD<InternalRow> {
    private static final long serialVersionUID = 1L;

    private final RowFormat format;
    private final transient Supplier<RDD<Block>> chunks;

    /** @param chunks of whole rows; asked once, unless they cannot be had then */
    RowsRDD(SparkContext context, RowFormat format, Supplier<RDD<Block>> chunks) {
        super(context, Scala.seq(List.of()), Scala.tag(InternalRow.class));
        this.format = format;
        this.chunks = chunks;
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
        return Scala.seq(List.of(new OneToOneDependency<>(chunks.get())));
    }

    private RDD<Block> parent() {
        return firstParent(Scala.tag(Block.class));
    }

    /** Spark asks for the partitions on the thread that wants the job, and only later, where no job may run, for the dependencies. */
    @Override
    public Partition[] getPartitions() {
        return parent().partitions();
    }

    @Override
    public Iterator<InternalRow> compute(Partition split, TaskContext context) {
        TaskScope scope = TaskScope.of(context);
        CachedChunks.Chunk chunk = CachedChunks.read(parent(), split, context);
        Tensor rows = chunk.in(scope);
        if (!rows.isContiguous()) {
            rows = scope.own(rows.contiguous());
        }
        return CollectionConverters.asScala(
                new ChunkRows(format, rows, chunk.block().firstRow(), scope));
    }

    /** The rows of a chunk as rows of a table: by one copy of memory each, into the same row again and again, as Spark's own scans do. */
    private static final class ChunkRows implements java.util.Iterator<InternalRow> {
        private final RowFormat format;
        private final Tensor chunk;
        private final long firstRow;
        private final long count;
        private final TaskScope scope;
        private final UnsafeRow row;
        private long next;

        /** @param scope has the chunk's memory, and lets go of it after the last row */
        ChunkRows(RowFormat format, Tensor chunk, long firstRow, TaskScope scope) {
            this.format = format;
            this.chunk = chunk;
            this.firstRow = firstRow;
            this.count = chunk.shape().size(0);
            this.scope = scope;
            this.row = format.blank();
        }

        @Override
        public boolean hasNext() {
            if (next == count) {
                scope.releaseAll();
            }
            return next < count;
        }

        @Override
        public InternalRow next() {
            if (next >= count) {
                throw new NoSuchElementException();
            }
            format.fill(row, firstRow + next, chunk.address() + next * format.elementBytes());
            next++;
            return row;
        }
    }
}
