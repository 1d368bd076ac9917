package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.ProductOfParts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Joins what {@link NearestPartsExec} found in parts of the right side: of each left row the nearest of all. */
public final class NearestMergeExec extends SparkPlan implements ProductOfParts {
    private static final long serialVersionUID = 1;
    private static final String ROWS = "numOutputRows";

    private final SparkPlan child;
    private final Seq<Attribute> output;
    private final NearestSpec spec;
    private transient scala.collection.immutable.@Nullable Map<String, SQLMetric> metrics;

    /** The operator. Spark makes copies of it by calling this with the {@linkplain #parts parts}. */
    public NearestMergeExec(SparkPlan child, Seq<Attribute> output, NearestSpec spec) {
        this.child = child;
        this.output = output;
        this.spec = spec;
    }

    @Override
    public Seq<Attribute> output() {
        return output;
    }

    @Override
    public Seq<SparkPlan> children() {
        return Scala.seq(List.of(child));
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> others) {
        return new NearestMergeExec(others.apply(0), output, spec);
    }

    private List<Expression> numbers() {
        List<Expression> numbers = new ArrayList<>();
        for (int i = 0; i < NearestPartsExec.NUMBERS; i++) {
            numbers.add(child.output().apply(i));
        }
        return numbers;
    }

    @Override
    public Seq<Distribution> requiredChildDistribution() {
        Seq<Expression> row = Scala.seq(numbers().subList(0, 1));
        return Scala.seq(List.of(new ClusteredDistribution(row, false, Option.empty())));
    }

    /** The rows of a left row come together, by their keys, and of equal keys by their places. */
    @Override
    public Seq<Seq<SortOrder>> requiredChildOrdering() {
        Seq<Expression> none = Scala.seq(List.<Expression>of());
        List<SortOrder> orders = new ArrayList<>();
        numbers().forEach(number -> orders.add(new SortOrder(number, Ascending$.MODULE$, NullsLast$.MODULE$, none)));
        return Scala.seq(List.of(Scala.seq(orders)));
    }

    @Override
    public synchronized scala.collection.immutable.Map<String, SQLMetric> metrics() {
        if (metrics == null) {
            metrics = scala.collection.immutable.Map.from(CollectionConverters.asScala(
                    java.util.Map.of(ROWS, SQLMetrics.createMetric(sparkContext(), "number of output rows"))));
        }
        return metrics;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        List<Expression> columns = new ArrayList<>();
        CollectionConverters.asJava(output).forEach(column -> columns.add(Bound.to(child.output(), column)));
        return child.execute()
                .mapPartitionsWithEvaluator(
                        new Merge(columns, spec, metrics().apply(ROWS)), ClassTag.apply(InternalRow.class));
    }

    /** Takes the first rows of each left row. */
    private static final class Merge implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // an ArrayList
        private final List<Expression> columns;

        private final NearestSpec spec;
        private final SQLMetric rows;

        Merge(List<Expression> columns, NearestSpec spec, SQLMetric rows) {
            this.columns = columns;
            this.spec = spec;
            this.rows = rows;
        }

        @Override
        public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
            return (partition, inputs) ->
                    CollectionConverters.asScala(new Firsts(CollectionConverters.asJava(inputs.head())));
        }

        private final class Firsts implements Iterator<InternalRow> {
            private final Iterator<InternalRow> input;
            private final UnsafeProjection projection = UnsafeProjection.create(Scala.seq(columns));
            private @Nullable InternalRow next;
            private int row = -1;
            private int taken;

            Firsts(Iterator<InternalRow> input) {
                this.input = input;
            }

            @Override
            public boolean hasNext() {
                while (next == null && input.hasNext()) {
                    InternalRow candidate = input.next();
                    if (candidate.getInt(0) != row) {
                        row = candidate.getInt(0);
                        taken = 0;
                    }
                    // a row without a key, the last of its left row, says that this is there
                    if (taken < (candidate.isNullAt(1) ? 1 : spec.k())) {
                        taken++;
                        next = candidate;
                    }
                }
                return next != null;
            }

            @Override
            public InternalRow next() {
                InternalRow here = hasNext() ? next : null;
                if (here == null) {
                    throw new NoSuchElementException("Cannot take a row: there are no more");
                }
                next = null;
                rows.add(1);
                return projection.apply(here);
            }
        }
    }

    @Override
    public String simpleString(int maxFields) {
        return "NearestMerge " + spec;
    }

    @Override
    public String nodeName() {
        return "NearestMerge";
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(child, output, spec);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NearestMergeExec that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }
}
