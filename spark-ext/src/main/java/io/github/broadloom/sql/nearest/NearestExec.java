package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Joins each row of the left side with its nearest of the right side, of which each executor has a copy, or each task reads all in blocks. */
public final class NearestExec extends NearestPlan {
    private static final long serialVersionUID = 1;

    /** So many on the right are worth sending a left row. */
    private static final int ENOUGH_ROWS = 4096;

    private final SparkPlan left;
    private final SparkPlan right;
    private final Seq<Attribute> output;
    private final Expression ranking;
    private final NearestSpec spec;
    private final Travel travel;
    private final long rightBytes;

    /** How the right side comes to the left. */
    public enum Travel {
        /** It is broadcast. */
        BROADCAST,
        /** Tasks read all of it for as many left rows as they may keep. */
        STREAM,
        /** Both sides are exchanged by {@link EqualKeys}, as of an equi-join. */
        KEYS
    }

    /**
     * The operator. Spark makes copies of it by calling this with the {@linkplain #parts parts}.
     *
     * @param output of both sides; what is of neither is the rank
     * @param rightBytes about how much the right side comes to
     */
    public NearestExec(
            SparkPlan left,
            SparkPlan right,
            Seq<Attribute> output,
            Expression ranking,
            NearestSpec spec,
            Travel travel,
            long rightBytes) {
        this.left = left;
        this.right = right;
        this.output = output;
        this.ranking = ranking;
        this.spec = spec;
        this.travel = travel;
        this.rightBytes = rightBytes;
    }

    @Override
    public Seq<Attribute> output() {
        return output;
    }

    /** The rank. */
    @Override
    public AttributeSet producedAttributes() {
        return outputSet();
    }

    @Override
    public Seq<SparkPlan> children() {
        return Scala.seq(List.of(left, right));
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> others) {
        return new NearestExec(others.apply(0), others.apply(1), output, ranking, spec, travel, rightBytes);
    }

    @Override
    public Seq<Distribution> requiredChildDistribution() {
        if (travel == Travel.KEYS) {
            return Scala.seq(List.of(clustered(keys().left()), clustered(keys().right())));
        }
        Distribution any = UnspecifiedDistribution$.MODULE$;
        return Scala.seq(List.of(
                any, travel == Travel.BROADCAST ? new BroadcastDistribution(IdentityBroadcastMode$.MODULE$) : any));
    }

    private static Distribution clustered(List<Expression> keys) {
        return new ClusteredDistribution(Scala.seq(keys), false, Option.empty());
    }

    @Override
    public Seq<Seq<SortOrder>> requiredChildOrdering() {
        boolean isKeyed = travel == Travel.KEYS;
        return Scala.seq(List.of(
                ascending(isKeyed ? keys().left() : List.of()), ascending(isKeyed ? keys().right() : List.of())));
    }

    private static Seq<SortOrder> ascending(List<Expression> keys) {
        Seq<Expression> none = Scala.seq(List.<Expression>of());
        List<SortOrder> orders = new ArrayList<>();
        keys.forEach(key -> orders.add(new SortOrder(key, Ascending$.MODULE$, NullsFirst$.MODULE$, none)));
        return Scala.seq(orders);
    }

    private EqualKeys keys() {
        return NearestTask.keys(ranking, left.output(), right.output()).orElseThrow();
    }

    @Override
    public Partitioning outputPartitioning() {
        if (travel == Travel.BROADCAST && !maySpread()) {
            return left.outputPartitioning();
        }
        return travel == Travel.STREAM && left.outputPartitioning() instanceof RangePartitioning ranges
                ? new RangePartitioning(ranges.ordering(), StreamRDD.tasks(ranges.numPartitions(), sparkContext()))
                : super.outputPartitioning();
    }

    /** Whether nobody needs to know where left rows are. */
    private boolean maySpread() {
        Partitioning known = left.outputPartitioning();
        return known instanceof UnknownPartitioning || known.numPartitions() == 1;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        NearestTask task = NearestTask.of(spec, ranked(), left.output(), right.output());
        JoinedOutput joined = joined(task, right.output());
        if (travel == Travel.BROADCAST) {
            Broadcast<InternalRow[]> others = right.executeBroadcast();
            return spread(others.value().length)
                    .mapPartitionsWithEvaluator(
                            new BroadcastSearch(task, joined, others, counts()), ClassTag.apply(InternalRow.class));
        }
        if (travel == Travel.KEYS) {
            KeyedSearch search =
                    new KeyedSearch(task, joined, bound(keys().left(), left), bound(keys().right(), right), counts());
            return left.execute()
                    .zipPartitionsWithEvaluator(right.execute(), search, ClassTag.apply(InternalRow.class));
        }
        Seq<Attribute> wanted = Scala.seq(JoinedOutput.wanted(output, right.output(), ranking, spec));
        List<Expression> kept = bound(List.copyOf(CollectionConverters.asJava(wanted)), right);
        return new StreamRDD(task, joined(task, wanted), left.execute(), right.execute(), kept, rightBytes, counts());
    }

    /** @param others the columns that there are of right rows */
    private JoinedOutput joined(NearestTask task, Seq<Attribute> others) {
        return JoinedOutput.of(output, left.output(), others, ranking, task.keys());
    }

    /** The left rows, in as many parts as tasks run at a time: one file may be one part, and searching for a row takes longer than sending it. */
    private RDD<InternalRow> spread(int rightRows) {
        RDD<InternalRow> rows = left.execute();
        int tasks = sparkContext().defaultParallelism();
        boolean isFew = rows.getNumPartitions() < tasks && rows.getNumPartitions() > 0;
        return isFew && maySpread() && rightRows >= ENOUGH_ROWS
                ? rows.toJavaRDD().map(InternalRow::copy).repartition(tasks).rdd()
                : rows;
    }

    /** What is ranked of the pairs that meet. */
    private Expression ranked() {
        return travel == Travel.KEYS ? keys().ranking() : ranking;
    }

    private static List<Expression> bound(List<Expression> keys, SparkPlan side) {
        return keys.stream().map(key -> Bound.to(side.output(), key)).toList();
    }

    @Override
    public String simpleString(int maxFields) {
        String how = switch (travel) {
            case BROADCAST -> "right side broadcast";
            case STREAM -> "right side streamed";
            case KEYS -> "rows of equal keys";
        };
        return "Nearest " + spec + " of " + ranking.sql() + ", "
                + NearestTask.described(spec, ranked(), left.output(), right.output()) + ", " + how;
    }

    @Override
    public String nodeName() {
        return "Nearest";
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(left, right, output, ranking, spec, travel, rightBytes);
    }
}
