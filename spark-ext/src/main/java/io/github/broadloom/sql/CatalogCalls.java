package io.github.broadloom.sql;

import java.util.Locale;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Takes functions that are called by the prefix of a {@link BroadloomCatalog} for those of the session, before Spark asks the catalog: of its
 * functions it would tell only the types of the arguments, not which are plain numbers or what a text says.
 */
final class CatalogCalls extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return (LogicalPlan) plan.transformAllExpressions(new AbstractPartialFunction<Expression, Expression>() {
            @Override
            public boolean isDefinedAt(Expression expression) {
                return expression instanceof UnresolvedFunction call && isOurs(call.nameParts());
            }

            @Override
            public Expression apply(Expression expression) {
                UnresolvedFunction call = (UnresolvedFunction) expression;
                String name = TensorFunctions.PREFIX + call.nameParts().apply(1).toLowerCase(Locale.ROOT);
                return call.copy(
                        CollectionConverters.asScala(java.util.List.of(name)).toSeq(),
                        call.arguments(),
                        call.isDistinct(),
                        call.filter(),
                        call.ignoreNulls(),
                        call.orderingWithinGroup(),
                        call.isInternal());
            }
        });
    }

    private boolean isOurs(Seq<String> name) {
        return name.size() == 2
                && conf().getConfString("spark.sql.catalog." + name.apply(0), "")
                        .equals(BroadloomCatalog.class.getName());
    }
}
