package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.SampleSort;
import io.github.broadloom.cpu.reduce.SampleSort.Points;
import io.github.broadloom.cpu.reduce.SampleSort.Split;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.expr.Along;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Puts a line in order that no task can hold. A job asks every chunk for some of its values, by which the driver splits them into as many ranges as there are chunks. By one shuffle every chunk sends each range what belongs to
 * it; a second job puts the ranges in order, which Spark keeps, and counts them, so that each chunk of the result is known to lie in one or a few.
 *
 * @param keep lets Spark keep chunks until the action is over
 */
record SortedRanges(
        SparkContext context,
        StageInputs inputs,
        Stage stage,
        Device device,
        JobRunner jobs,
        Consumer<RDD<Block>> keep) {
    /** Of a range: with as many samples its size is off by a tenth at most, nearly always. */
    private static final int SAMPLES = 1000;

    private static final long POINT_BYTES = 2 * Long.BYTES;

    private static final String WHAT = "shuffled values of a line to be put in order";

    /** What a task sends to a range: values in the order of the line, with the number of its chunk as the first row, and where they are, if that is asked for. */
    private record Piece(Block values, Tensor rows) {}

    /** The chunks of the result. */
    RDD<Block> chunks(long sampleBytes) {
        Points splitters = splitters(sampleBytes);
        Along sort = sort();
        RDD<Block> ranges =
                new Ranges(sort, GatherExchange.shuffled(pieces(splitters), splitters.keys().length + 1, Tuple2.class));
        ranges.setName(stage.text());
        keep.accept(ranges);
        return CountedRows.of(ranges, jobs, sort.dtype(), stage.grid(), WHAT);
    }

    private Along sort() {
        return (Along) stage.outputs().get(0);
    }

    private <T> ChunkRDD<T> rdd(Class<T> type, ChunkRDD.Computation<T> computation) {
        return new ChunkRDD<>(context, inputs, stage.outputs(), stage.grid(), device, type, computation);
    }

    private Points splitters(long sampleBytes) {
        int ranges = stage.grid().chunks();
        long rows = sort().lineLength();
        long samples = Math.min(sampleBytes / POINT_BYTES, (long) ranges * SAMPLES);
        List<Points> all = new ArrayList<>();
        jobs.run(
                rdd(byte[].class, (task, backend) -> List.of(JavaBytes.of(sample(task, backend, samples, rows)))),
                (task, sampled) -> sampled.next(),
                (chunk, sampled) -> all.add(JavaBytes.read(sampled, Points.class)),
                chunk -> samples * POINT_BYTES / ranges);
        return SampleSort.splitters(all, ranges);
    }

    /** As many as its share of the rows. */
    private static Points sample(ChunkTask task, Backend backend, long samples, long rows) throws IOException {
        Along sort = (Along) task.outputs().get(0);
        Tensor line = line(sort, task, backend);
        long count = Math.max(1, Math.round((double) samples * line.numel() / rows));
        MemoryMeter.array(count * POINT_BYTES);
        return SampleSort.sample(sort.op(), line, task.box().start(0), (int) count);
    }

    private static Tensor line(Along sort, ChunkTask task, Backend backend) {
        Tensor value = task.value(sort.operand(), backend);
        return value.reshape(value.numel()); // a view: there is one line
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private RDD<Tuple2<Integer, Tuple2>> pieces(Points splitters) {
        MetricAccumulators accumulators = MetricAccumulators.register(context);
        byte[] cuts = JavaBytes.of(splitters);
        return rdd((Class<Tuple2<Integer, Tuple2>>) (Class<?>) Tuple2.class, (task, backend) -> {
            TaskContext own = TaskContext.get();
            TaskMeter.of(own).tell(accumulators);
            return pieces(task, backend, JavaBytes.read(cuts, Points.class), TaskScope.of(own));
        });
    }

    @SuppressWarnings("rawtypes")
    private static List<Tuple2<Integer, Tuple2>> pieces(
            ChunkTask task, Backend backend, Points splitters, TaskScope scope) throws IOException {
        Along sort = (Along) task.outputs().get(0);
        Split split = Split.of(sort.op(), line(sort, task, backend), task.box().start(0), splitters);
        scope.own(split.values());
        scope.own(split.rows());
        boolean withRows = split.rows().numel() > 0;
        List<Tuple2<Integer, Tuple2>> pieces = new ArrayList<>();
        int from = 0;
        for (int range = 0; range < split.ends().length; range++) {
            int count = split.ends()[range] - from;
            if (count > 0) {
                Block values = new Block(
                        split.values().narrow(0, from, count), task.chunk().index());
                Block rows = new Block(withRows ? split.rows().narrow(0, from, count) : split.rows());
                pieces.add(new Tuple2<>(range, new Tuple2<>(values, rows)));
            }
            from += count;
        }
        return pieces;
    }

    /** The ranges, each in order. */
    private static final class Ranges extends RDD<Block> {
        private static final long serialVersionUID = 1L;

        private final Along sort;

        @SuppressWarnings("rawtypes")
        Ranges(Along sort, RDD<Tuple2<Integer, Tuple2>> pieces) {
            super(pieces, Scala.tag(Block.class));
            this.sort = sort;
        }

        @SuppressWarnings("unchecked")
        private RDD<Tuple2<Integer, Tuple2<Block, Block>>> pieces() {
            return (RDD<Tuple2<Integer, Tuple2<Block, Block>>>)
                    dependencies().apply(0).rdd();
        }

        @Override
        public Partition[] getPartitions() {
            return pieces().partitions();
        }

        @Override
        public Iterator<Block> compute(Partition split, TaskContext context) {
            TaskMeter.of(context);
            TaskScope scope = TaskScope.of(context);
            try {
                List<Piece> pieces = new ArrayList<>();
                Iterator<Tuple2<Integer, Tuple2<Block, Block>>> all =
                        DamagedException.arriving(WHAT, () -> pieces().iterator(split, context));
                while (DamagedException.arriving(WHAT, all::hasNext)) {
                    Tuple2<Block, Block> piece =
                            DamagedException.arriving(WHAT, all::next)._2();
                    scope.own(piece._1().tensor());
                    pieces.add(new Piece(piece._1(), scope.own(piece._2().tensor())));
                }
                pieces.sort(Comparator.comparingLong(piece -> piece.values.firstRow()));
                return Scala.iterator(List.of(Block.owning(sorted(pieces, scope))));
            } finally {
                scope.releaseAll();
            }
        }

        private Tensor sorted(List<Piece> pieces, TaskScope scope) {
            Tensor values = scope.own(
                    joined(pieces.stream().map(piece -> piece.values.tensor()).toList()));
            Tensor rows = sort.op().kind().isIndices()
                    ? scope.own(joined(pieces.stream().map(Piece::rows).toList()))
                    : values;
            return SampleSort.sorted(sort.op(), values, rows);
        }

        private static Tensor joined(List<Tensor> parts) {
            long count = parts.stream().mapToLong(Tensor::numel).sum();
            Tensor joined = Tensors.empty(parts.get(0).dtype(), Shape.of(count));
            long at = 0;
            for (Tensor part : parts) {
                joined.narrow(0, at, part.numel()).copy_(part);
                at += part.numel();
                part.release();
            }
            return joined;
        }
    }
}
