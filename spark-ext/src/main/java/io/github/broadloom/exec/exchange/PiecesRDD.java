package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Box;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The chunks of a tensor cut into the pieces that the chunks of a stage need, each with the number of the chunk that needs it. A piece is a view until Spark
 * writes it, so the task holds one chunk and what Spark buffers, which Spark counts, and spills to disk where it gets too much.
 */
final class PiecesRDD extends RDD<Tuple2<Integer, Block>> {
    private static final long serialVersionUID = 1L;

    private final Access access;
    private final ChunkGrid grid;
    /** Of the stage that writes the shuffle: no function of a job tells anybody what its tasks count. */
    private final MetricAccumulators accumulators;

    @SuppressWarnings("unchecked")
    private PiecesRDD(RDD<Block> blocks, Access access, ChunkGrid grid) {
        super(blocks, Scala.tag((Class<Tuple2<Integer, Block>>) (Class<?>) Tuple2.class));
        this.access = access;
        this.grid = grid;
        this.accumulators = MetricAccumulators.register(blocks.sparkContext());
    }

    /** The pieces, in as many partitions as the stage has chunks. */
    static RDD<Tuple2<Integer, Block>> shuffled(RDD<Block> blocks, Access access, ChunkGrid grid) {
        PiecesRDD pieces = new PiecesRDD(blocks, access, grid);
        return new ShuffledRDD<Integer, Block, Block>(
                pieces,
                new HashPartitioner(grid.chunks()),
                Scala.tag(Integer.class),
                Scala.tag(Block.class),
                Scala.tag(Block.class));
    }

    @Override
    public Partition[] getPartitions() {
        return blocks().partitions();
    }

    private RDD<Block> blocks() {
        return firstParent(Scala.tag(Block.class));
    }

    @Override
    public Iterator<Tuple2<Integer, Block>> compute(Partition split, TaskContext context) {
        TaskMeter.of(context).tell(accumulators);
        CachedChunks.Chunk chunk = CachedChunks.read(blocks(), split, context);
        chunk.in(TaskScope.of(context));
        Block block = chunk.block();
        return CollectionConverters.asScala(IntStream.range(0, grid.chunks())
                .mapToObj(number -> piece(block, number))
                .flatMap(Optional::stream)
                .iterator());
    }

    /** What a chunk of the stage needs of a block, if anything. */
    private Optional<Tuple2<Integer, Block>> piece(Block block, int chunk) {
        Box common = access.box(grid.box(chunk)).intersection(block.box());
        return common.isEmpty()
                ? Optional.empty()
                : Optional.of(new Tuple2<>(chunk, new Block(common.of(block.tensor(), block.box()), common.starts())));
    }
}
