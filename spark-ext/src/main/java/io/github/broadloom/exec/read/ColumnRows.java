package io.github.broadloom.exec.read;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.JobRunner;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.columnar.CachedRDDBuilder;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.util.PartitionKeyedAccumulator;
import org.apache.spark.util.AccumulatorContext;
import org.apache.spark.util.AccumulatorV2;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows of one column of a table.
 *
 * @param rdd rows whose first value is that of the column. Where it is of arrays, and the table in memory, a row is good until the next is asked for
 * @param counts of each partition's rows, where they are known
 */
record ColumnRows(RDD<InternalRow> rdd, Optional<long[]> counts) {

    static ColumnRows of(Dataset<Row> table) {
        JobRunner jobs = new JobRunner(table.sparkSession().sparkContext());
        RDD<InternalRow> rows = jobs.described( // a sort runs jobs
                "broadloom: read a table", () -> table.queryExecution().toRdd());
        return new ColumnRows(rows, Optional.empty());
    }

    /** The rows of a column. Where Spark keeps the table, they are found without a plan of how to compute them. */
    static ColumnRows of(Dataset<Row> table, Column column, int place) {
        LogicalPlan analyzed = table.queryExecution().analyzed();
        LogicalPlan kept = ((SparkSession) table.sparkSession())
                .sessionState()
                .executePlan(analyzed, CommandExecutionMode.SKIP())
                .withCachedData();
        return kept(kept, analyzed.output().apply(place)).orElseGet(() -> of(table.select(column)));
    }

    /** Goes down through what only names columns and chooses among them. */
    private static Optional<ColumnRows> kept(LogicalPlan plan, Expression wanted) {
        if (!(wanted instanceof Attribute column)) {
            return Optional.empty();
        }
        if (plan instanceof Project project) {
            return named(project.projectList(), column).flatMap(below -> kept(project.child(), below));
        }
        if (plan instanceof SubqueryAlias alias) {
            return kept(alias.child(), column);
        }
        if (plan instanceof View view) {
            return kept(view.child(), column);
        }
        return plan instanceof InMemoryRelation table ? kept(table, column) : Optional.empty();
    }

    private static Optional<Expression> named(Seq<NamedExpression> projections, Attribute column) {
        return CollectionConverters.asJava(projections).stream()
                .filter(projection -> projection.exprId().equals(column.exprId()))
                .map(projection -> projection instanceof Alias alias ? alias.child() : (Expression) projection)
                .findFirst();
    }

    private static Optional<ColumnRows> kept(InMemoryRelation table, Attribute column) {
        CachedRDDBuilder builder = table.cacheBuilder();
        if (!(column.dataType() instanceof ArrayType)
                || builder.serializer().getClass() != DefaultCachedBatchSerializer.class) {
            return Optional.empty();
        }
        int place = CollectionConverters.asJava(table.output()).stream()
                .map(Attribute::exprId)
                .toList()
                .indexOf(column.exprId());
        if (place < 0) {
            return Optional.empty();
        }
        RDD<InternalRow> rows = builder.cachedColumnBuffers()
                .mapPartitionsWithEvaluator(new CachedColumn(place), Scala.tag(InternalRow.class));
        return Optional.of(new ColumnRows(rows, counts(builder)));
    }

    /**
     * How many rows each partition of a table in memory has, as Spark counted them when it put them there: no task needs to look.
     * Nothing where Spark does not keep every partition now: it may have read a part of one that it did not keep, and counts what it read (SPARK-58412).
     */
    private static Optional<long[]> counts(CachedRDDBuilder table) {
        RDD<?> batches = table.cachedColumnBuffers();
        if (!table.isCachedColumnBuffersLoaded() || !isKept(batches)) {
            return Optional.empty();
        }
        AccumulatorV2<?, ?> counted =
                AccumulatorContext.get(table.materializationAccumulatorId()).getOrElse(() -> null);
        return counted instanceof PartitionKeyedAccumulator<?> of
                ? counts(of.value(), batches.getNumPartitions())
                : Optional.empty();
    }

    private static boolean isKept(RDD<?> batches) {
        return Arrays.stream(batches.context().getRDDStorageInfo())
                .filter(kept -> kept.id() == batches.id())
                .anyMatch(kept -> kept.numCachedPartitions() == kept.numPartitions());
    }

    /** @param counted of each partition the rows and the bytes */
    private static Optional<long[]> counts(Map<Object, ?> counted, int partitions) {
        long[] rows = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            if (!(counted.get(i) instanceof Tuple2<?, ?> pair && pair._1() instanceof Long count)) {
                return Optional.empty();
            }
            rows[i] = count;
        }
        return Optional.of(rows);
    }
}
