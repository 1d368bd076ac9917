package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.ContractionFold;
import io.github.broadloom.cpu.reduce.GroupFold;
import io.github.broadloom.cpu.reduce.RankedFold;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.plan.FoldTree;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Brings the partial results of chunks together, in one job: where they are many, tasks join those of neighbours before, stage by stage. */
final class FoldJob {
    private final Stage stage;
    private final FoldTree tree;

    FoldJob(Stage stage, Settings settings) {
        this.stage = stage;
        this.tree = stage.foldTree(settings);
    }

    List<Tensor> fold(SparkContext context, StageInputs inputs, Device device, JobRunner jobs) {
        boolean sums = stage.outputs().get(0) instanceof Contraction;
        RDD<byte[]> joined = new ChunkRDD<>(
                context,
                inputs,
                stage.outputs(),
                stage.tasks(),
                sums ? Device.CPU : device, // the CPU multiplies, on every device, so nothing is brought to another one
                byte[].class,
                computation());
        for (RowGrid groups : tree.groups()) {
            joined = joined(joined, groups);
        }
        Merge whole = Merge.of(stage.outputs());
        jobs.run(
                joined,
                (task, partials) -> partials.next(),
                (number, partial) -> whole.push(partial),
                number -> tree.bytes(tree.driver(), number));
        return whole.finish();
    }

    private ChunkRDD.Computation<byte[]> computation() {
        Expr first = stage.outputs().get(0);
        if (stage.foldsInSteps()) {
            FoldSteps steps = FoldSteps.of(stage);
            return (task, backend) -> {
                List<RowFold> folds = steps.folds(task, backend);
                return List.of(
                        NodeBytes.of(folds.stream().map(RowFold::takeNodes).toList()));
            };
        }
        return first instanceof Contraction
                ? FoldJob::sums
                : first instanceof Along ? FoldJob::found : FoldJob::partials;
    }

    private static List<byte[]> partials(ChunkTask task, Backend backend) throws IOException {
        List<Reduce> reductions =
                task.outputs().stream().map(Reduce.class::cast).toList();
        List<List<FoldNode>> nodes =
                backend.partials(reductions, task.chunk().box().start(0));
        nodes.stream().flatMap(List::stream).mapToLong(FoldNode::sizeBytes).forEach(MemoryMeter::array);
        return List.of(NodeBytes.of(nodes));
    }

    private static List<byte[]> sums(ChunkTask task, Backend backend) throws IOException {
        Contraction part = (Contraction) task.outputs().get(0);
        List<FoldNode> nodes =
                ContractionFold.partials(backend, part, task.chunk().box().start(0));
        nodes.forEach(node -> MemoryMeter.array(node.sizeBytes()));
        return List.of(NodeBytes.of(List.of(nodes)));
    }

    private static List<byte[]> found(ChunkTask task, Backend backend) throws IOException {
        Along part = (Along) task.outputs().get(0);
        RankedFold.Found found =
                RankedFold.partial(backend, part, task.chunk().box().start(0));
        MemoryMeter.array(found.sizeBytes());
        return List.of(JavaBytes.of(found));
    }

    private RDD<byte[]> joined(RDD<byte[]> partials, RowGrid groups) {
        int fanIn = tree.fanIn();
        Expr[] outputs = stage.outputs().toArray(Expr[]::new);
        MetricAccumulators accumulators = MetricAccumulators.register(partials.sparkContext());
        JavaPairRDD<Integer, byte[]> sent = JavaRDD.fromRDD(partials, Scala.tag(byte[].class))
                .mapPartitionsToPair(own -> {
                    TaskContext task = TaskContext.get();
                    TaskMeter.of(task).tell(accumulators);
                    return List.of(new Tuple2<>(task.partitionId() / fanIn, own.next()))
                            .iterator();
                });
        RDD<byte[]> joined = sent.partitionBy(new HashPartitioner(groups.chunks()))
                .values()
                .mapPartitions(members -> joined(outputs, members))
                .rdd();
        joined.setName(partials.name());
        return joined;
    }

    /** In a task, which gets all members of a group before any is joined: what it holds is what was planned, in whatever order they come. */
    private static Iterator<byte[]> joined(Expr[] outputs, Iterator<byte[]> partials) {
        TaskMeter.of(TaskContext.get());
        Deque<byte[]> members = new ArrayDeque<>();
        partials.forEachRemaining(members::add);
        long arraysBefore = MemoryMeter.arrayBytes();
        MemoryMeter.array(members.stream().mapToLong(member -> member.length).sum());
        Merge group = Merge.of(List.of(outputs));
        while (!members.isEmpty()) {
            Cancellation.check();
            group.push(members.remove());
        }
        MemoryMeter.dropArrays(arraysBefore);
        group.sizes().forEach(MemoryMeter::array);
        return List.of(group.partial()).iterator();
    }

    /** The trees in which the partial results of a fold's outputs come together, in tasks and on the driver: in any order, and always to the same bits. */
    private sealed interface Merge {
        /** The trees of the whole outputs, of which only dtypes, shapes and dimensions are looked at. */
        static Merge of(List<Expr> outputs) {
            if (outputs.get(0) instanceof Grouped) {
                return new OfRows(outputs.stream()
                        .map(output -> GroupFold.blocks((Grouped) output))
                        .toList());
            }
            if (outputs.get(0) instanceof Along ranked) {
                return new OfRanks(new RankedFold(ranked));
            }
            return outputs.get(0) instanceof Contraction product
                    ? new OfPanels(new ContractionFold(product))
                    : new OfRows(outputs.stream()
                            .map(output -> RowFold.of((Reduce) output))
                            .toList());
        }

        void push(byte[] partial);

        /** What came so far, joined as far as it can be: a partial result. */
        byte[] partial();

        /** The bytes of what came so far, array by array. */
        LongStream sizes();

        List<Tensor> finish();

        /** Of reductions over the rows, or over blocks of groups of them. */
        record OfRows(List<RowFold> folds) implements Merge {
            @Override
            public void push(byte[] partial) {
                List<List<FoldNode>> nodes = NodeBytes.read(partial);
                for (int i = 0; i < nodes.size(); i++) {
                    nodes.get(i).forEach(folds.get(i)::push);
                }
            }

            @Override
            public byte[] partial() {
                return NodeBytes.of(folds.stream().map(RowFold::nodes).toList());
            }

            @Override
            public LongStream sizes() {
                return folds.stream().flatMap(fold -> fold.nodes().stream()).mapToLong(FoldNode::sizeBytes);
            }

            @Override
            public List<Tensor> finish() {
                return folds.stream().map(RowFold::finish).toList();
            }
        }

        /** Of the first values in order. */
        record OfRanks(RankedFold fold) implements Merge {
            @Override
            public void push(byte[] partial) {
                fold.push(JavaBytes.read(partial, RankedFold.Found.class));
            }

            @Override
            public byte[] partial() {
                return JavaBytes.of(fold.found());
            }

            @Override
            public LongStream sizes() {
                return LongStream.of(fold.found().sizeBytes());
            }

            @Override
            public List<Tensor> finish() {
                return List.of(fold.finish());
            }
        }

        /** Of products. */
        record OfPanels(ContractionFold fold) implements Merge {
            @Override
            public void push(byte[] partial) {
                NodeBytes.read(partial).get(0).forEach(fold::push);
            }

            @Override
            public byte[] partial() {
                return NodeBytes.of(List.of(fold.nodes()));
            }

            @Override
            public LongStream sizes() {
                return fold.nodes().stream().mapToLong(FoldNode::sizeBytes);
            }

            @Override
            public List<Tensor> finish() {
                return List.of(fold.finish());
            }
        }
    }
}
