package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.read.BlockReader;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.collection.Iterator;

/** A task that computes one chunk: where its operands come from, and the memory that it holds for them. */
public final class ChunkTask {
    private final RDD<?> rdd;
    private final ChunkPartition chunk;
    private final TaskContext context;
    private final Box box;
    private final TaskScope scope;
    /** What was read so far. */
    private final Map<Reading, Tensor> readings = new HashMap<>();
    /** What this is a step of. */
    private final @Nullable ChunkTask whole;

    public ChunkTask(RDD<?> rdd, ChunkPartition chunk, TaskContext context) {
        this(rdd, chunk, context, chunk.box(), null);
    }

    private ChunkTask(RDD<?> rdd, ChunkPartition chunk, TaskContext context, Box box, @Nullable ChunkTask whole) {
        this.rdd = rdd;
        this.whole = whole;
        this.chunk = chunk;
        this.context = context;
        this.box = box;
        this.scope = TaskScope.of(context);
    }

    /** The same task for a part of its block, which holds memory of its own; what every part needs, the task keeps. */
    public ChunkTask step(Box part) {
        return new ChunkTask(rdd, chunk, context, part, this);
    }

    /** Who reads a source: the whole task, where this step needs of it what all need. */
    private ChunkTask reader(Access access) {
        return whole != null && access.box(whole.box).equals(access.box(box)) ? whole : this;
    }

    /** The block of what the stage goes over. */
    public Box box() {
        return box;
    }

    public ChunkPartition chunk() {
        return chunk;
    }

    /** What the task holds. */
    public TaskScope scope() {
        return scope;
    }

    /** The operand that a source's block is moved to; where that takes a copy, the copy is the task's. */
    Tensor moved(Access access, Tensor block) {
        Tensor moved = access.moved(block, box);
        return moved.storage() == block.storage() ? moved : scope.own(moved);
    }

    /**
     * A box of a parent: a view of one chunk where that has all of it, else put together from all that overlap, one after the other, so that no more than one of them
     * is held beside the result.
     */
    Tensor gathered(int parent, DType dtype, ChunkGrid grid, Access access) {
        @SuppressWarnings("unchecked")
        RDD<Block> blocks = (RDD<Block>) rdd.dependencies().apply(parent).rdd();
        ChunkTask reader = reader(access);
        Box wanted = access.box(reader.box);
        return reader.once(
                new Reading(blocks.id(), wanted),
                () -> reader.gathered(blocks, reader.parents(parent, grid, wanted), dtype, wanted));
    }

    private Tensor gathered(RDD<Block> blocks, List<Partition> partitions, DType dtype, Box wanted) {
        if (partitions.size() == 1) {
            CachedChunks.Chunk only = CachedChunks.read(blocks, partitions.get(0), context);
            return wanted.of(only.in(scope), only.block().box());
        }
        Tensor joined = scope.own(Tensors.empty(dtype, wanted.shape()));
        for (Partition partition : partitions) {
            CachedChunks.use(blocks, partition, context, block -> copy(block, joined, wanted));
        }
        return joined;
    }

    /** A box of a file. */
    Tensor stored(BlockReader file, Access access) throws IOException {
        ChunkTask reader = reader(access);
        Box wanted = access.box(reader.box);
        return reader.once(new Reading(file, wanted), () -> reader.scope.own(file.read(wanted)));
    }

    /** A block of something that several operands may be made of: it is read once. */
    private <E extends Exception> Tensor once(Reading reading, Read<E> read) throws E {
        Tensor known = readings.get(reading);
        if (known == null) {
            known = read.read();
            readings.put(reading, known);
        }
        return known;
    }

    private record Reading(Object source, Box box) {}

    private interface Read<E extends Exception> {
        Tensor read() throws E;
    }

    /** The partitions of a parent that overlap a box: of the task's whole block the dependency found them, one step of a stream needs some of them. */
    private List<Partition> parents(int parent, ChunkGrid grid, Box wanted) {
        List<Partition> all = List.of(chunk.parents(parent));
        if (box.equals(chunk.box())) {
            return all;
        }
        Set<Integer> overlapping = new HashSet<>(grid.overlapping(wanted));
        return all.stream()
                .filter(partition -> overlapping.contains(partition.index()))
                .toList();
    }

    /** A box put together from pieces, each of which is let go when it is in its place. */
    Tensor shuffled(int parent, DType dtype, Access access) {
        @SuppressWarnings("unchecked")
        RDD<Tuple2<Integer, Block>> shuffle =
                (RDD<Tuple2<Integer, Block>>) rdd.dependencies().apply(parent).rdd();
        ChunkTask reader = reader(access);
        Box wanted = access.box(reader.box);
        return reader.once(new Reading(shuffle.id(), wanted), () -> reader.joined(shuffle, parent, dtype, wanted));
    }

    private Tensor joined(RDD<Tuple2<Integer, Block>> shuffle, int parent, DType dtype, Box wanted) {
        Tensor joined = scope.own(Tensors.empty(dtype, wanted.shape()));
        long elements = 0;
        try {
            for (Partition partition : chunk.parents(parent)) {
                Iterator<Tuple2<Integer, Block>> pieces = shuffle.iterator(partition, context);
                while (pieces.hasNext()) {
                    Block piece = pieces.next()._2();
                    elements += piece.tensor().numel();
                    copy(piece, joined, wanted);
                    piece.tensor().release();
                }
            }
        } catch (Exception e) {
            DamagedException damage = DamagedException.in(e, "shuffled pieces of a tensor", false);
            if (damage != null) {
                throw new UncheckedIOException(damage.getMessage(), damage);
            }
            throw e;
        }
        if (elements != joined.numel()) { // Spark takes bytes that end early for the end of the pieces
            DamagedException missing = DamagedException.missing("shuffled pieces of a tensor");
            throw new UncheckedIOException(missing.getMessage(), missing);
        }
        return joined;
    }

    private static void copy(Block block, Tensor joined, Box box) {
        Box common = block.box().intersection(box);
        if (!common.isEmpty()) {
            common.of(joined, box).copy_(common.of(block.tensor(), block.box()));
        }
    }

    /** Every operand of the chunk, from its exchange. */
    public Tensor[] operands(Exchange[] exchanges) throws IOException {
        Tensor[] operands = new Tensor[exchanges.length];
        for (int i = 0; i < exchanges.length; i++) {
            operands[i] = exchanges[i].operand(this);
            Arrivals.count(rdd.id(), i, exchanges[i], chunk);
        }
        return operands;
    }
}
