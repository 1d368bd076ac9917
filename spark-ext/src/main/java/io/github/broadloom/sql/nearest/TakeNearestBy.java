package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.sql.nearest.NearestSpec.Order;
import io.github.broadloom.sql.nearest.NearestSpec.Unmatched;
import io.github.broadloom.tensor.Device;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.slf4j.LoggerFactory;
import scala.Function1;

/**
 * Takes Spark's {@code NearestByJoin}, which Spark 4.2 has, before Spark rewrites it as a join of all pairs:
 *
 * <pre>
 * NearestByJoin left, right, Inner, k, ranking   ⇒   NearestPairs left, right, ranking, k
 * </pre>
 *
 * What Spark refuses, and what it alone can rank, stays its own.
 */
public final class TakeNearestBy extends Rule<LogicalPlan> {
    private static final String SPARKS = "org.apache.spark.sql.catalyst.plans.logical.NearestByJoin";

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        Function1<LogicalPlan, LogicalPlan> deeper = this::apply;
        LogicalPlan over = (LogicalPlan) plan.mapChildren(deeper);
        return over.getClass().getName().equals(SPARKS) && isOn() ? taken(over) : over;
    }

    private boolean isOn() {
        return SparkSettings.NEAREST.inSpark(SparkSettings.in(conf())).orElse(true);
    }

    /** Its parts are those of Spark's class: left, right, joinType, approx, numResults, rankingExpression, direction. */
    private LogicalPlan taken(LogicalPlan join) {
        Expression ranking = (Expression) join.productElement(5);
        Optional<String> refusal = refusal(join, ranking);
        if (refusal.isPresent()) {
            LoggerFactory.getLogger(TakeNearestBy.class)
                    .info("NEAREST BY {} runs as Spark's join of all pairs: {}", ranking.sql(), refusal.get());
            return join;
        }
        Order order = join.productElement(6).toString().equals("NearestByDistance") ? Order.DISTANCE : Order.SIMILARITY;
        Unmatched unmatched = join.productElement(2).toString().equals("Inner") ? Unmatched.DROP : Unmatched.KEEP;
        NearestSpec spec = new NearestSpec(
                (Integer) join.productElement(4),
                order,
                unmatched,
                SparkSettings.DEVICE.inSpark(SparkSettings.in(conf())).orElse(Device.CPU),
                SparkSettings.NEAREST_BYTES.inSpark(SparkSettings.in(conf())).orElse(NearestSpec.DEFAULT_BYTES));
        NearestPairs pairs = new NearestPairs(
                (LogicalPlan) join.productElement(0), (LogicalPlan) join.productElement(1), ranking, spec);
        pairs.copyTagsFrom(join);
        return pairs;
    }

    private Optional<String> refusal(LogicalPlan join, Expression ranking) {
        if (!join.resolved() || join.isStreaming() || !conf().crossJoinEnabled()) {
            return Optional.of("Spark refuses it");
        }
        if (!RankKeys.has(ranking.dataType())) {
            return Optional.of("ranks are " + ranking.dataType().sql() + ", not numbers");
        }
        if (!ranking.deterministic()) {
            return Optional.of("the ranking is not the same each time");
        }
        return ranking.exists(TakeNearestBy::isSparks)
                ? Optional.of("the ranking has a part that only Spark can plan")
                : Optional.empty();
    }

    /** Subqueries, and functions of Python, which an operator of their own evaluates. */
    private static boolean isSparks(Expression part) {
        boolean isPlanned = part instanceof Attribute || part instanceof RuntimeReplaceable;
        return part instanceof PlanExpression<?> || part instanceof Unevaluable && !isPlanned;
    }
}
