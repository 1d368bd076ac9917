package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.TensorColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Tables of the nearest vectors, planned as what {@code NEAREST BY} of SQL means, on any version of Spark. */
public final class NearestVectors {
    /** The columns that come out: the place of a left row, and of its nearest, the nearest first, their distances and places. */
    public static final String ROW = "row";

    public static final String DISTANCES = "distances";
    public static final String INDICES = "indices";

    private NearestVectors() {}

    /**
     * The nearest of the right rows to each left row. Nothing runs.
     *
     * @param left a column of places, and one of vectors
     * @param right as well, of at least {@code spec.k()} rows
     * @param dtype of the vectors' elements: float32 or float64
     * @return {@value #ROW}, {@value #DISTANCES} and {@value #INDICES}, each cell of the last two of {@code spec.k()} elements; of equal distances the least place comes first
     */
    public static Dataset<Row> of(
            org.apache.spark.sql.Dataset<Row> left,
            org.apache.spark.sql.Dataset<Row> right,
            DType dtype,
            VectorMetric metric,
            NearestSpec spec) {
        SparkSession session = (SparkSession) left.sparkSession();
        plansNearest(session);
        LogicalPlan lefts = ((Dataset<Row>) left).queryExecution().analyzed();
        LogicalPlan rights = ((Dataset<Row>) right).queryExecution().analyzed();
        Expression rank =
                VectorRanks.of(lefts.output().apply(1), rights.output().apply(1), dtype, metric);
        LogicalPlan pairs = new NearestPairs(lefts, rights, rank, spec);
        List<NamedExpression> columns = List.of(
                named(lefts.output().apply(0), ROW), named(rights.output().apply(0), INDICES), named(rank, DISTANCES));
        Dataset<Row> found = Dataset.ofRows(session, new Project(Scala.seq(columns), pairs));
        Column nearest = functions.sort_array(functions.collect_list(functions.struct(DISTANCES, INDICES)));
        // rows of one part may be spread for the search: together again, they are grouped and sorted where they are
        return (isOnePart((Dataset<Row>) left) ? found.repartition(1) : found)
                .groupBy(ROW)
                .agg(nearest.as("nearest"))
                .select(functions.col(ROW), part(DISTANCES, spec), part(INDICES, spec));
    }

    private static boolean isOnePart(Dataset<Row> table) {
        return table.queryExecution().executedPlan().outputPartitioning().numPartitions() == 1;
    }

    private static Column part(String name, NearestSpec spec) {
        return functions
                .col("nearest")
                .getField(name)
                .as(name, TensorColumn.declaring(Shape.of(spec.k()), Metadata.empty()));
    }

    private static NamedExpression named(Expression value, String name) {
        Seq<String> none = Scala.seq(List.of());
        return new Alias(value, name, NamedExpression.newExprId(), none, Option.empty(), none);
    }

    /** Gives a session that was started without the extension what plans the join; nothing else is planned by it. */
    private static synchronized void plansNearest(SparkSession session) {
        List<SparkStrategy> known = new ArrayList<>();
        for (Object each :
                CollectionConverters.asJava(session.sessionState().planner().strategies())) {
            known.add((SparkStrategy) each);
        }
        if (known.stream().noneMatch(NearestStrategy.class::isInstance)) {
            List<SparkStrategy> more = new ArrayList<>(
                    CollectionConverters.asJava(session.experimental().extraStrategies()));
            more.add(new NearestStrategy());
            session.experimental().extraStrategies_$eq(Scala.seq(more));
        }
    }
}
