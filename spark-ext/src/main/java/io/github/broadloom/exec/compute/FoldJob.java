package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ByNumber;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.FoldTree;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Brings the partial results of chunks together, in one job: where they are many, tasks join those of neighbours before, stage by stage. */
final class FoldJob {
    private final FoldTree tree;
    private final List<Expr> outputs;

    /** @param outputs of the whole stage */
    FoldJob(FoldTree tree, List<Expr> outputs) {
        this.tree = tree;
        this.outputs = outputs;
    }

    /**
     * The outputs.
     *
     * @param partials of each chunk, as {@link FoldMerge} takes them
     */
    List<Tensor> fold(RDD<byte[]> partials, JobRunner jobs) {
        RDD<byte[]> joined = partials;
        for (RowGrid groups : tree.groups()) {
            joined = joined(joined, groups);
        }
        FoldMerge whole = FoldMerge.of(outputs);
        jobs.run(
                joined,
                new PartialsTask(),
                (number, partial) -> whole.push(partial),
                number -> tree.bytes(tree.driver(), number));
        return whole.finish();
    }

    private RDD<byte[]> joined(RDD<byte[]> partials, RowGrid groups) {
        Numbered numbered = new Numbered(tree.fanIn(), MetricAccumulators.register(partials.sparkContext()));
        JavaPairRDD<Integer, byte[]> sent =
                JavaRDD.fromRDD(partials, Scala.tag(byte[].class)).mapPartitionsToPair(numbered);
        RDD<byte[]> joined = sent.partitionBy(new ByNumber(groups.chunks()))
                .values()
                .mapPartitions(new Join(outputs.toArray(Expr[]::new)))
                .rdd();
        joined.setName(partials.name());
        return joined;
    }

    /** A partial result with the number of its group. */
    private record Numbered(int fanIn, MetricAccumulators accumulators)
            implements PairFlatMapFunction<Iterator<byte[]>, Integer, byte[]> {
        @Override
        public Iterator<Tuple2<Integer, byte[]>> call(Iterator<byte[]> partials) {
            TaskContext task = TaskContext.get();
            TaskMeter.of(task).tell(accumulators);
            return List.of(new Tuple2<>(task.partitionId() / fanIn, partials.next()))
                    .iterator();
        }
    }

    /** The partial result of a group. All members come before any is joined: what the task holds is what was planned, in whatever order they come. */
    private record Join(Expr[] outputs) implements FlatMapFunction<Iterator<byte[]>, byte[]> {
        @Override
        public Iterator<byte[]> call(Iterator<byte[]> partials) {
            TaskMeter.of(TaskContext.get());
            Deque<byte[]> members = new ArrayDeque<>();
            partials.forEachRemaining(members::add);
            long arraysBefore = MemoryMeter.arrayBytes();
            MemoryMeter.array(
                    members.stream().mapToLong(member -> member.length).sum());
            FoldMerge group = FoldMerge.of(List.of(outputs));
            while (!members.isEmpty()) {
                Cancellation.check();
                group.push(members.remove());
            }
            MemoryMeter.dropArrays(arraysBefore);
            group.sizes().forEach(MemoryMeter::array);
            return List.of(group.partial()).iterator();
        }
    }
}
