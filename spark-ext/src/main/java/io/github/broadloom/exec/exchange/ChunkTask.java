package io.github.broadloom.exec.exchange;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Memo;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.collection.Iterator;

/** A task that computes one chunk: where its operands come from, and the memory that it holds for them. */
public final class ChunkTask {
    /** Whose bytes came here, once for all tasks that use them; one that comes back after as many others counts again. */
    private static final Memo<Arrival, Boolean> ARRIVED = new Memo<>(4096);

    private static final String SHUFFLED = "shuffled pieces of a tensor";

    private final RDD<?> rdd;
    private final ChunkPartition chunk;
    private final TaskContext context;
    private final Expr[] outputs;
    private final Exchange[] exchanges;
    private final Box box;
    private final TaskScope scope;
    private final Map<Reading, Tensor> readings = new HashMap<>();
    /** What this is a step of. */
    private final @Nullable ChunkTask whole;

    public ChunkTask(RDD<?> rdd, ChunkPartition chunk, TaskContext context, Expr[] outputs, Exchange[] exchanges) {
        this.rdd = rdd;
        this.chunk = chunk;
        this.context = context;
        this.outputs = outputs;
        this.exchanges = exchanges;
        this.box = chunk.box();
        this.scope = TaskScope.of(context);
        this.whole = null;
    }

    private ChunkTask(ChunkTask whole, Box part) {
        this.rdd = whole.rdd;
        this.chunk = whole.chunk;
        this.context = whole.context;
        this.outputs = whole.outputs;
        this.exchanges = whole.exchanges;
        this.box = part;
        this.scope = TaskScope.of(context);
        this.whole = whole;
    }

    /** The same task for a part of its block, which holds memory of its own; what every part needs, the task keeps. */
    public ChunkTask step(Box part) {
        return new ChunkTask(this, part);
    }

    public Box box() {
        return box;
    }

    public ChunkPartition chunk() {
        return chunk;
    }

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
        return once(
                blocks.id(),
                access,
                (reader, wanted) -> reader.gathered(blocks, reader.parents(parent, grid, wanted), dtype, wanted));
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

    Tensor stored(BlockReader file, Access access) throws IOException {
        return once(file, access, (reader, wanted) -> reader.scope.own(file.read(wanted)));
    }

    /**
     * A block of something that several operands may be made of: it is read once, and by the whole task where this step needs of it
     * what all need.
     */
    private <E extends Exception> Tensor once(Object source, Access access, Read<E> read) throws E {
        ChunkTask reader = whole != null && access.box(whole.box).equals(access.box(box)) ? whole : this;
        Reading reading = new Reading(source, access.box(reader.box));
        Tensor known = reader.readings.get(reading);
        if (known == null) {
            known = read.read(reader, reading.box);
            reader.readings.put(reading, known);
        }
        return known;
    }

    private record Reading(Object source, Box box) {}

    private interface Read<E extends Exception> {
        Tensor read(ChunkTask reader, Box wanted) throws E;
    }

    /** The partitions of a parent that overlap a box: of the task's whole block the dependency found them, one step of a stream needs some of them. */
    private List<Partition> parents(int parent, ChunkGrid grid, Box wanted) {
        List<Partition> all = List.of(chunk.parents()[parent]);
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
        return once(shuffle.id(), access, (reader, wanted) -> reader.joined(shuffle, parent, dtype, wanted));
    }

    private Tensor joined(RDD<Tuple2<Integer, Block>> shuffle, int parent, DType dtype, Box wanted) {
        Tensor joined = scope.own(Tensors.empty(dtype, wanted.shape()));
        long elements = 0;
        for (Partition partition : chunk.parents()[parent]) {
            Iterator<Tuple2<Integer, Block>> pieces =
                    DamagedException.arriving(SHUFFLED, () -> shuffle.iterator(partition, context));
            while (DamagedException.arriving(SHUFFLED, pieces::hasNext)) {
                Block piece = DamagedException.arriving(SHUFFLED, pieces::next)._2();
                elements += piece.tensor().numel();
                copy(piece, joined, wanted);
                piece.tensor().release();
            }
        }
        if (elements != joined.numel()) { // Spark takes bytes that end early for the end of the pieces
            throw DamagedException.lost(SHUFFLED);
        }
        return joined;
    }

    private static void copy(Block block, Tensor joined, Box box) {
        Box common = block.box().intersection(box);
        if (!common.isEmpty()) {
            common.of(joined, box).copy_(common.of(block.tensor(), block.box()));
        }
    }

    /** The stage's outputs over the operands of this block, each of which its exchange brings. */
    public List<Expr> outputs() throws IOException {
        Tensor[] operands = new Tensor[exchanges.length];
        for (int i = 0; i < exchanges.length; i++) {
            operands[i] = exchanges[i].operand(this);
            countArrival(i);
        }
        return over(List.of(outputs), operands);
    }

    /** What a part of such an output is: an operand as it came, else computed, and the task's. */
    public Tensor value(Expr part, Backend backend) {
        return part instanceof Input input ? (Tensor) input.source() : scope.own(backend.evaluate(part));
    }

    /** A stage's outputs over tensors in the place of its operands' slots: what they share, they share. */
    public static List<Expr> over(List<Expr> outputs, Tensor... operands) {
        return Graphs.mapInputs(outputs, slot -> Input.of(operands[(Integer) slot.source()]));
    }

    /** Counts the bytes that an exchange brought to this JVM, where no task counted them before. */
    private void countArrival(int index) {
        long bytes = exchanges[index].replicatedBytes(chunk);
        if (bytes > 0) {
            int own = exchanges[index] instanceof Exchange.ChunkBroadcast ? chunk.index() : -1;
            Arrival arrival = new Arrival(SparkEnv.get().conf().getAppId(), rdd.id(), index, own);
            ARRIVED.value(arrival, first -> {
                TaskMeter.count(TaskMetric.REPLICATED_BYTES, bytes);
                return true;
            });
        }
    }

    /** An operand that came to this JVM whole; its chunk where it is broadcast in chunks, else -1. A JVM of tests sees several applications, whose numbers repeat. */
    private record Arrival(String application, int rdd, int exchange, int chunk) {}
}
