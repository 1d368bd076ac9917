package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.sql.nearest.NearestExec.Travel;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans joins with the nearest: rows of equal keys meet where the ranking names some; else the right side is broadcast where it is small enough; else the left, and parts of the right are searched; else the right is streamed. Columns that nobody reads above do not come out. */
public final class NearestStrategy extends SparkStrategy {
    private static final long serialVersionUID = 1;

    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        if (plan instanceof NearestPairs pairs) {
            return Scala.seq(List.of(planned(pairs, pairs.output())));
        }
        if (plan instanceof Project project && project.child() instanceof NearestPairs pairs) {
            Attribute rank = rank(pairs);
            Seq<NamedExpression> columns = isMerged(pairs) ? project.projectList() : ranked(project, pairs, rank);
            SparkPlan below = planned(pairs, read(columns, pairs, rank));
            return Scala.seq(List.of(new ProjectExec(columns, below)));
        }
        return Scala.seq(List.of());
    }

    private static Attribute rank(NearestPairs pairs) {
        Seq<String> nowhere = Scala.seq(List.<String>of());
        DataType type = pairs.ranking().dataType();
        return new AttributeReference("rank", type, true, Metadata.empty(), NamedExpression.newExprId(), nowhere);
    }

    /** The columns, where the ranking stands in them the rank that was computed to find the rows. */
    private static Seq<NamedExpression> ranked(Project project, NearestPairs pairs, Attribute rank) {
        List<NamedExpression> columns = new ArrayList<>();
        for (NamedExpression column : CollectionConverters.asJava(project.projectList())) {
            columns.add((NamedExpression) ranked((Expression) column, pairs.ranking(), rank));
        }
        return Scala.seq(columns);
    }

    private static Expression ranked(Expression part, Expression ranking, Attribute rank) {
        if (!ranking.children().isEmpty() && part.semanticEquals(ranking)) {
            return rank;
        }
        Function1<Expression, Expression> deeper = child -> ranked(child, ranking, rank);
        return (Expression) part.mapChildren(deeper);
    }

    private static Seq<Attribute> read(Seq<NamedExpression> columns, NearestPairs pairs, Attribute rank) {
        List<Expression> above = new ArrayList<>();
        CollectionConverters.asJava(columns).forEach(column -> above.add((Expression) column));
        AttributeSet read = AttributeSet.fromAttributeSets(
                Scala.seq(above.stream().map(Expression::references).toList()));
        List<Attribute> output = new ArrayList<>(CollectionConverters.asJava(pairs.output()));
        output.add(rank);
        output.removeIf(column -> !read.contains(column));
        return Scala.seq(output);
    }

    private SparkPlan planned(NearestPairs pairs, Seq<Attribute> output) {
        if (isKeyed(pairs)) {
            return join(pairs, output, Travel.KEYS);
        }
        if (isMerged(pairs)) {
            SparkPlan parts = new NearestPartsExec(
                    planLater(pairs.left()),
                    planLater(pairs.right()),
                    NearestPartsExec.numbers(),
                    pairs.ranking(),
                    pairs.spec());
            return new NearestMergeExec(parts, output, pairs.spec());
        }
        boolean isSmall = bytes(pairs.right()) <= pairs.spec().bytes();
        return join(pairs, output, isSmall ? Travel.BROADCAST : Travel.STREAM);
    }

    private static boolean isKeyed(NearestPairs pairs) {
        return NearestTask.keys(
                        pairs.ranking(), pairs.left().output(), pairs.right().output())
                .isPresent();
    }

    /** Whether the left side is sent, and what parts of the right have is merged. */
    private static boolean isMerged(NearestPairs pairs) {
        long most = pairs.spec().bytes();
        return !isKeyed(pairs) && bytes(pairs.right()) > most && keptBytes(pairs) <= most;
    }

    private SparkPlan join(NearestPairs pairs, Seq<Attribute> output, Travel travel) {
        return new NearestExec(
                planLater(pairs.left()),
                planLater(pairs.right()),
                output,
                pairs.ranking(),
                pairs.spec(),
                travel,
                bytes(pairs.right()));
    }

    /** What a task keeps of all left rows: they, and the results of each. */
    private static long keptBytes(NearestPairs pairs) {
        long bytes = bytes(pairs.left());
        long rows = bytes / Math.max(1, rowBytes(pairs.left()));
        long results = pairs.spec().k() * (KLeast.bytes(1, 1) + rowBytes(pairs.right()));
        return rows > Long.MAX_VALUE / results - bytes ? Long.MAX_VALUE : bytes + rows * results;
    }

    private static long rowBytes(LogicalPlan side) {
        return side.output().toList().isEmpty() ? 1 : side.schema().defaultSize();
    }

    /** By Spark's estimate; at most what a long holds. */
    private static long bytes(LogicalPlan side) {
        return side.stats()
                .sizeInBytes()
                .bigInteger()
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
    }
}
