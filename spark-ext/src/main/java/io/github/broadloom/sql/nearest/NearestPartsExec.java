package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * The nearest of each part of the right side to all rows of the left, of which each executor has a copy: rows of the number of the left row, the key of the rank, the place of the right row, and both rows. {@link
 * NearestMergeExec} joins the parts.
 */
public final class NearestPartsExec extends NearestPlan {
    /** How many of the {@link #numbers()} there are. */
    static final int NUMBERS = 3;

    private static final long serialVersionUID = 1;

    private final SparkPlan left;
    private final SparkPlan right;
    private final Seq<Attribute> numbers;
    private final Expression ranking;
    private final NearestSpec spec;

    /**
     * The operator. Spark makes copies of it by calling this with the {@linkplain #parts parts}.
     *
     * @param numbers the columns of {@link #numbers()}
     */
    public NearestPartsExec(
            SparkPlan left, SparkPlan right, Seq<Attribute> numbers, Expression ranking, NearestSpec spec) {
        this.left = left;
        this.right = right;
        this.numbers = numbers;
        this.ranking = ranking;
        this.spec = spec;
    }

    /**
     * The columns of a left row's number, of the key, and of the place of the right row, by which equal keys are told apart: both NULL of a row that says that the left row is
     * there.
     */
    static Seq<Attribute> numbers() {
        return Scala.seq(List.of(
                number("row", DataTypes.IntegerType, false),
                number("key", DataTypes.LongType, true),
                number("place", DataTypes.LongType, true)));
    }

    private static Attribute number(String name, DataType type, boolean isNullable) {
        Seq<String> nowhere = Scala.seq(List.<String>of());
        return new AttributeReference(name, type, isNullable, Metadata.empty(), NamedExpression.newExprId(), nowhere);
    }

    @Override
    public Seq<Attribute> output() {
        List<Attribute> output = new ArrayList<>(CollectionConverters.asJava(numbers));
        output.addAll(CollectionConverters.asJava(NearestPairs.output(left.output(), right.output())));
        return Scala.seq(output);
    }

    @Override
    public Seq<SparkPlan> children() {
        return Scala.seq(List.of(left, right));
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> others) {
        return new NearestPartsExec(others.apply(0), others.apply(1), numbers, ranking, spec);
    }

    @Override
    public Seq<Distribution> requiredChildDistribution() {
        Distribution any = UnspecifiedDistribution$.MODULE$;
        return Scala.seq(List.of(new BroadcastDistribution(IdentityBroadcastMode$.MODULE$), any));
    }

    @Override
    public RDD<InternalRow> doExecute() {
        NearestTask task = NearestTask.of(spec, ranking, left.output(), right.output());
        Broadcast<InternalRow[]> rows = left.executeBroadcast();
        RDD<InternalRow> others = right.execute();
        RDD<InternalRow> some = others.getNumPartitions() > 0
                ? others
                : sparkContext().parallelize(Scala.seq(List.<InternalRow>of()), 1, Scala.tag(InternalRow.class));
        return some.mapPartitionsWithEvaluator(
                new PartSearch(task, rows, schema(), right.output().size(), counts()),
                ClassTag.apply(InternalRow.class));
    }

    @Override
    public String simpleString(int maxFields) {
        return "NearestParts " + spec + " of " + ranking.sql() + ", "
                + NearestTask.described(spec, ranking, left.output(), right.output()) + ", left side broadcast";
    }

    @Override
    public String nodeName() {
        return "NearestParts";
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(left, right, numbers, ranking, spec);
    }
}
