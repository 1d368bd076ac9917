package io.github.broadloom.sql;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.ProductOfParts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Evaluates functions of tensors on batches of rows: the cells of many rows become one tensor for each argument, and one fused kernel goes
 * over them. What else is needed of the rows goes through.
 */
public final class TensorBatchExec extends SparkPlan implements ProductOfParts {
    private static final long serialVersionUID = 1;

    private final Seq<Attribute> carried;
    private final Seq<Alias> functions;
    private final SparkPlan child;
    private final BatchSettings settings;
    private transient scala.collection.immutable.@Nullable Map<String, SQLMetric> metrics;

    /**
     * The operator. Spark makes copies of it by calling this with the {@linkplain #parts parts}.
     *
     * @param carried the columns of the child that are needed above
     * @param functions functions of tensors, each under the name of its column
     */
    public TensorBatchExec(Seq<Attribute> carried, Seq<Alias> functions, SparkPlan child, BatchSettings settings) {
        this.carried = carried;
        this.functions = functions;
        this.child = child;
        this.settings = settings;
    }

    @Override
    public Seq<Attribute> output() {
        List<Attribute> output = new ArrayList<>(CollectionConverters.asJava(carried));
        CollectionConverters.asJava(functions).forEach(function -> output.add(function.toAttribute()));
        return Scala.seq(output);
    }

    @Override
    public Seq<SparkPlan> children() {
        return Scala.seq(List.of(child));
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> others) {
        return new TensorBatchExec(carried, functions, others.apply(0), settings);
    }

    @Override
    public Partitioning outputPartitioning() {
        return child.outputPartitioning();
    }

    /** Rows come out as they come in; an order by a column that is not carried ends what is known. */
    @Override
    public Seq<SortOrder> outputOrdering() {
        List<SortOrder> known = CollectionConverters.asJava(child.outputOrdering()).stream()
                .takeWhile(order -> order.references().subsetOf(outputSet()))
                .toList();
        return Scala.seq(known);
    }

    @Override
    public synchronized scala.collection.immutable.Map<String, SQLMetric> metrics() {
        if (metrics == null) {
            metrics = scala.collection.immutable.Map.from(CollectionConverters.asScala(Map.of(
                    TensorBatchTask.ROWS, SQLMetrics.createMetric(sparkContext(), "number of output rows"),
                    TensorBatchTask.BATCHES, SQLMetrics.createMetric(sparkContext(), "number of batches"),
                    TensorBatchTask.NANOS,
                            SQLMetrics.createNanoTimingMetric(sparkContext(), "time of tensor kernels", -1))));
        }
        return metrics;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        List<TensorFunction> calls = new ArrayList<>();
        CollectionConverters.asJava(functions)
                .forEach(function -> calls.add((TensorFunction) Bound.to(child.output(), function.child())));
        List<Expression> through = new ArrayList<>();
        CollectionConverters.asJava(carried).forEach(column -> through.add(Bound.to(child.output(), column)));
        TensorBatchTask batches = new TensorBatchTask(
                through,
                calls,
                settings,
                metrics().apply(TensorBatchTask.ROWS),
                metrics().apply(TensorBatchTask.BATCHES),
                metrics().apply(TensorBatchTask.NANOS));
        return child.execute().mapPartitionsWithEvaluator(batches, ClassTag.apply(InternalRow.class));
    }

    @Override
    public String nodeName() {
        return "TensorBatch";
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(carried, functions, child, settings);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TensorBatchExec that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }
}
