package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.ParentsDependency;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.cache.StoredRDD;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;

/** Chunks of rows out of parts that follow each other, of which nobody knows how many rows each has before it is there. */
final class CountedRows extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    private final transient ChunkGrid grid;
    private final transient long[] starts;
    private final DType dtype;

    /** @param starts where each of the parts starts among the rows, and where the last one ends */
    private record Chunk(int index, Box box, Partition[] parts, long[] starts) implements Partition {}

    private CountedRows(RDD<Block> parts, long[] starts, DType dtype, ChunkGrid grid) {
        super(
                parts.sparkContext(),
                Scala.seq(List.of(new ParentsDependency<>(parts, chunk -> overlapping(starts, grid, chunk)))),
                Scala.tag(Block.class));
        this.grid = grid;
        this.starts = starts;
        this.dtype = dtype;
    }

    /**
     * The chunks. A job counts the rows of all parts, which Spark should keep.
     *
     * @param grid the cuts of all rows
     * @param what the rows are, for whoever reads that some are missing
     */
    static RDD<Block> of(RDD<Block> parts, JobRunner jobs, DType dtype, ChunkGrid grid, String what) {
        long[] starts = new long[parts.getNumPartitions() + 1];
        Fate fate = Fate.of(parts);
        jobs.run(
                StoredRDD.of(parts),
                (task, blocks) -> {
                    Block block = fate.take(blocks);
                    long rows = block.tensor().shape().size(0);
                    fate.end(block);
                    return rows;
                },
                (part, rows) -> starts[part + 1] = rows,
                part -> Long.BYTES);
        Arrays.parallelPrefix(starts, Long::sum);
        if (starts[starts.length - 1]
                != grid.shape().size(0)) { // Spark takes bytes that end early for the end of the rows
            throw DamagedException.lost(what);
        }
        return new CountedRows(parts, starts, dtype, grid);
    }

    /** The parts with rows of a chunk; none of those that have no row. */
    private static List<Integer> overlapping(long[] starts, ChunkGrid grid, int chunk) {
        RowGrid rows = grid.along(0);
        int at = Arrays.binarySearch(starts, rows.start(chunk));
        int first = at >= 0 ? at : -at - 2;
        while (first > 0 && starts[first - 1] == starts[first]) {
            first--; // of several that start there any may have been found
        }
        return IntStream.range(first, starts.length - 1)
                .takeWhile(part -> starts[part] < rows.end(chunk))
                .filter(part -> starts[part + 1] > Math.max(starts[part], rows.start(chunk)))
                .boxed()
                .toList();
    }

    private RDD<Block> parts() {
        return firstParent(Scala.tag(Block.class));
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] all = parts().partitions();
        Partition[] chunks = new Partition[grid.chunks()];
        for (int i = 0; i < chunks.length; i++) {
            List<Integer> own = overlapping(starts, grid, i);
            chunks[i] = new Chunk(
                    i,
                    grid.box(i),
                    own.stream().map(part -> all[part]).toArray(Partition[]::new),
                    own.stream().mapToLong(part -> starts[part]).toArray());
        }
        return chunks;
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        TaskMeter.of(context);
        Chunk chunk = (Chunk) split;
        Shape shape = chunk.box.shape();
        long first = chunk.box.start(0);
        Tensor rows = Tensors.empty(dtype, shape);
        TensorBytes.filled(rows, to -> {
            for (int i = 0; i < chunk.parts.length; i++) {
                long start = chunk.starts[i];
                CachedChunks.use(parts(), chunk.parts[i], context, part -> {
                    long there = part.tensor().shape().size(0);
                    Tensor from = part.tensor().view(shape.with(0, there).toArray());
                    long at = Math.max(first, start);
                    long count = Math.min(first + shape.size(0), start + there) - at;
                    to.narrow(0, at - first, count).copy_(from.narrow(0, at - start, count));
                });
            }
        });
        return Scala.iterator(List.of(Block.owning(rows, chunk.box.starts())));
    }
}
