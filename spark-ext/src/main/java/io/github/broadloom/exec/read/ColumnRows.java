package io.github.broadloom.exec.read;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.JobRunner;
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
        return Optional.of(new ColumnRows(rows, CachedCounts.of(builder)));
    }
}
