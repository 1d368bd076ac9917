package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Conjuncts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Function1;

/**
 * Asks what is asked of the left side's columns before the join, whose rows do not depend on each other:
 *
 * <pre>
 * Filter l AND r (NearestPairs left, right)   ⇒   Filter r (NearestPairs (Filter l left), right)
 * </pre>
 *
 * What is asked of the right side's columns is asked of the nearest alone, and stays above.
 */
public final class FilterLeftFirst extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        Function1<LogicalPlan, LogicalPlan> deeper = this::apply;
        LogicalPlan over = (LogicalPlan) plan.mapChildren(deeper);
        return over instanceof Filter filter && filter.child() instanceof NearestPairs pairs
                ? filtered(filter, pairs)
                : over;
    }

    private static LogicalPlan filtered(Filter filter, NearestPairs pairs) {
        List<Expression> first = new ArrayList<>();
        List<Expression> behind = new ArrayList<>();
        Conjuncts.of(filter.condition()).forEach(condition -> {
            boolean isOfLeft = condition.deterministic()
                    && condition.references().subsetOf(pairs.left().outputSet());
            (isOfLeft ? first : behind).add(condition);
        });
        if (first.isEmpty()) {
            return filter;
        }
        LogicalPlan left = new Filter(Conjuncts.all(first).orElseThrow(), pairs.left());
        LogicalPlan over = (LogicalPlan) pairs.withNewChildren(Scala.seq(List.of(left, pairs.right())));
        return Conjuncts.all(behind)
                .<LogicalPlan>map(rest -> new Filter(rest, over))
                .orElse(over);
    }
}
