package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Brings together what the indices of a {@link Gather} name: each chunk of the result asks the chunks of the operand, by one shuffle, and is answered by another. No task holds more than a
 * chunk of either, and what nobody asks for is not read.
 *
 * @param gather over the whole tensors, of which dtypes and shapes are looked at: of parts of the operand, or of single elements of it
 * @param asked the cuts of the operand
 * @param cuts those of the result, along the dimension of the indices
 */
record GatherExchange(Gather gather, ChunkGrid asked, ChunkGrid cuts) implements Serializable {
    private static final String WHAT = "shuffled elements that indices name";

    /** The chunks of the result of a stage. */
    static RDD<Block> rdd(
            SparkContext context,
            StageInputs indices,
            Stage stage,
            RDD<Block> operand,
            ChunkGrid asked,
            Device device) {
        Gather whole = (Gather) stage.outputs().get(0);
        GatherExchange exchange =
                new GatherExchange(whole.isOfParts() ? whole : whole.ofElements(), asked, stage.grid());
        MetricAccumulators accumulators = MetricAccumulators.register(context);
        RDD<Tuple2<Integer, Block>> questions = new ChunkRDD<>(
                context, indices, stage.indices().outputs(), stage.grid(), device, pairs(), (task, backend) -> {
                    TaskContext own = TaskContext.get();
                    TaskMeter.of(own).tell(accumulators);
                    List<Tensor> values = new ArrayList<>();
                    for (Block value : ChunkRDD.values(task, backend)) {
                        values.add(task.scope().own(value.tensor()));
                    }
                    List<Tensor> named = exchange.isByElement() ? vectors(whole, values, task) : values;
                    return exchange.questions(task.chunk().index(), named, TaskScope.of(own));
                });
        RDD<Tuple2<Integer, Block>> sent = shuffled(questions, asked.chunks(), Block.class);
        return new Answered(exchange, new Answers(exchange, operand, sent));
    }

    @SuppressWarnings("unchecked")
    private static <T> Class<Tuple2<Integer, T>> pairs() {
        return (Class<Tuple2<Integer, T>>) (Class<?>) Tuple2.class;
    }

    static <T> RDD<Tuple2<Integer, T>> shuffled(RDD<Tuple2<Integer, T>> pairs, int chunks, Class<T> type) {
        return new ShuffledRDD<Integer, T, T>(
                pairs, new HashPartitioner(chunks), Scala.tag(Integer.class), Scala.tag(type), Scala.tag(type));
    }

    /** Whether single elements are looked up, as many as the result has. */
    private boolean isByElement() {
        return !gather.shape().equals(cuts.shape());
    }

    /** For each dimension of the operand the place of each element of the chunk, in row-major order: what an index says, or that of the element itself. */
    private static List<Tensor> vectors(Gather whole, List<Tensor> indices, ChunkTask task) {
        Box box = task.box();
        Shape operand = whole.operand().shape();
        List<Tensor> vectors = new ArrayList<>();
        for (int d = 0; d < operand.rank(); d++) {
            int place = whole.placeOf(d);
            Tensor line;
            if (place < 0) {
                line = indices.get(d - whole.dim());
            } else {
                long start = operand.size(d) == 1 ? 0 : box.start(place);
                long count = operand.size(d) == 1 ? 1 : box.size(place);
                line = task.scope()
                        .own(Tensors.arange(start, start + count, 1))
                        .view(Shape.ones(box.rank()).with(place, count).toArray());
            }
            Tensor each = line.expand(box.shape().toArray());
            vectors.add(task.scope().own(each.contiguous()).reshape(box.shape().numel()));
        }
        return vectors;
    }

    /**
     * What a chunk of the result asks: for each chunk of the operand that has any of it a table of where in the result's chunk an element belongs, and its places in the operand's chunk; and
     * the number of the chunk that asks, as the table's first row.
     *
     * @param scope of what Spark has yet to write
     * @throws IndexOutOfBoundsException with PyTorch's text, for an index that is out of range
     */
    private List<Tuple2<Integer, Block>> questions(int chunk, List<Tensor> indices, TaskScope scope) {
        Box box = cuts.box(chunk);
        int count = Math.toIntExact(isByElement() ? box.shape().numel() : box.size(gather.dim()));
        int[] cells = new int[count];
        RowGrid[] along = IntStream.range(0, indices.size())
                .mapToObj(i -> asked.along(gather.dim() + i))
                .toArray(RowGrid[]::new);
        int all = 1;
        for (RowGrid grid : along) {
            all = Math.multiplyExact(all, grid.chunks());
        }
        int[] ends = new int[all];
        MemoryMeter.array((long) Integer.BYTES * (count + all));
        Lines lines = new Lines(gather, indices);
        for (int at = 0; at < count; at++) {
            int cell = 0;
            for (int i = 0; i < along.length; i++) {
                cell = cell * along[i].chunks() + along[i].chunkOf(lines.index(i, at));
            }
            cells[at] = cell;
            ends[cell]++;
        }
        int before = 0;
        for (int cell = 0; cell < all; cell++) {
            int own = ends[cell];
            ends[cell] = before;
            before += own;
        }
        Tensor table = scope.own(Tensors.empty(DType.INT64, Shape.of(1 + along.length, count)));
        for (int at = 0; at < count; at++) {
            int to = ends[cells[at]]++;
            RawMemory.putLong(table.address() + (long) to * Long.BYTES, at);
            int cell = cells[at];
            for (int i = along.length - 1; i >= 0; i--) {
                long start = along[i].start(cell % along[i].chunks());
                cell /= along[i].chunks();
                long address = table.address() + ((1L + i) * count + to) * Long.BYTES;
                RawMemory.putLong(address, lines.index(i, at) - start);
            }
        }
        List<Tuple2<Integer, Block>> questions = new ArrayList<>();
        int start = 0;
        for (int cell = 0; cell < all; cell++) {
            if (ends[cell] > start) {
                Tensor own = table.narrow(1, start, ends[cell] - start);
                for (int number : asked.overlapping(cell(cell, along))) {
                    questions.add(new Tuple2<>(number, new Block(own, chunk)));
                }
            }
            start = ends[cell];
        }
        return questions;
    }

    /** All of the operand whose indexed dimensions are in that one of their cuts. */
    private Box cell(int number, RowGrid[] along) {
        Box box = Box.whole(asked.shape());
        int cell = number;
        for (int i = along.length - 1; i >= 0; i--) {
            int own = cell % along[i].chunks();
            box = box.with(gather.dim() + i, along[i].start(own), along[i].end(own));
            cell /= along[i].chunks();
        }
        return box;
    }

    /** The indices of a chunk, checked. */
    private record Lines(Gather gather, long[] addresses, long[] steps, long[] sizes) {
        Lines(Gather gather, List<Tensor> indices) {
            this(gather, new long[indices.size()], new long[indices.size()], new long[indices.size()]);
            for (int i = 0; i < addresses.length; i++) {
                Tensor index = indices.get(i);
                boolean repeats = index.shape().size(gather.dim()) == 1;
                addresses[i] = index.address();
                steps[i] = repeats ? 0 : index.layout().stride(gather.dim()) * Long.BYTES;
                sizes[i] = gather.operand().shape().size(gather.dim() + i);
            }
        }

        long index(int line, long at) {
            long given = RawMemory.getLong(addresses[line] + at * steps[line]);
            return gather.placeOf(given, line, sizes[line]);
        }
    }

    /** A chunk of the operand, and what was asked of it. */
    private record Asked(int index, Partition operand, Partition questions) implements Partition {}

    private static final class Answers extends RDD<Tuple2<Integer, GatherAnswer>> {
        private static final long serialVersionUID = 1L;

        private final GatherExchange exchange;
        private final MetricAccumulators accumulators;

        @SuppressWarnings("unchecked")
        Answers(GatherExchange exchange, RDD<Block> operand, RDD<Tuple2<Integer, Block>> questions) {
            super(
                    operand.sparkContext(),
                    Scala.seq(List.of(new OneToOneDependency<>(operand), new OneToOneDependency<>(questions))),
                    Scala.tag(pairs()));
            this.exchange = exchange;
            this.accumulators = MetricAccumulators.register(operand.sparkContext());
        }

        @SuppressWarnings("unchecked")
        private <T> RDD<T> parent(int number) {
            return (RDD<T>) dependencies().apply(number).rdd();
        }

        @Override
        public Partition[] getPartitions() {
            Partition[] operand = parent(0).partitions();
            Partition[] questions = parent(1).partitions();
            return IntStream.range(0, operand.length)
                    .mapToObj(i -> new Asked(i, operand[i], questions[i]))
                    .toArray(Partition[]::new);
        }

        @Override
        public Iterator<Tuple2<Integer, GatherAnswer>> compute(Partition split, TaskContext context) {
            TaskMeter.of(context).tell(accumulators);
            Asked asked = (Asked) split;
            TaskScope scope = TaskScope.of(context);
            RDD<Tuple2<Integer, Block>> questions = parent(1);
            Iterator<Tuple2<Integer, Block>> all =
                    DamagedException.arriving(WHAT, () -> questions.iterator(asked.questions, context));
            if (!DamagedException.arriving(WHAT, all::hasNext)) {
                return Scala.iterator(List.of());
            }
            CachedChunks.Chunk chunk = CachedChunks.read(parent(0), asked.operand, context);
            chunk.in(scope);
            return new AbstractIterator<>() {
                @Override
                public boolean hasNext() {
                    return DamagedException.arriving(WHAT, all::hasNext);
                }

                @Override
                public Tuple2<Integer, GatherAnswer> next() {
                    Block question = DamagedException.arriving(WHAT, all::next)._2();
                    return new Tuple2<>(
                            Math.toIntExact(question.firstRow()),
                            new GatherAnswer(exchange.gather, chunk.block(), question));
                }
            };
        }
    }

    private static final class Answered extends RDD<Block> {
        private static final long serialVersionUID = 1L;

        private final GatherExchange exchange;

        Answered(GatherExchange exchange, Answers answers) {
            super(shuffled(answers, exchange.cuts.chunks(), GatherAnswer.class), Scala.tag(Block.class));
            this.exchange = exchange;
        }

        @SuppressWarnings("unchecked")
        private RDD<Tuple2<Integer, GatherAnswer>> answers() {
            return (RDD<Tuple2<Integer, GatherAnswer>>) dependencies().apply(0).rdd();
        }

        @Override
        public Partition[] getPartitions() {
            return answers().partitions();
        }

        @Override
        public Iterator<Block> compute(Partition split, TaskContext context) {
            TaskMeter.of(context);
            Box box = exchange.cuts.box(split.index());
            Tensor result = Tensors.empty(exchange.gather.dtype(), box.shape());
            Tensor places = exchange.isByElement() ? result.view(result.numel()) : result;
            boolean complete = false;
            try {
                long elements = 0;
                Iterator<Tuple2<Integer, GatherAnswer>> all =
                        DamagedException.arriving(WHAT, () -> answers().iterator(split, context));
                while (DamagedException.arriving(WHAT, all::hasNext)) {
                    elements += DamagedException.arriving(WHAT, all::next)._2().place(places, exchange.gather.dim());
                }
                if (elements != result.numel()) { // Spark takes bytes that end early for the end of the answers
                    throw DamagedException.lost(WHAT);
                }
                complete = true;
            } finally {
                if (!complete) {
                    result.release();
                }
            }
            return Scala.iterator(List.of(Block.owning(result, Arrays.copyOf(box.starts(), result.rank()))));
        }
    }
}
