package io.github.broadloom.sql;

import io.github.broadloom.exec.Conjuncts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Computes the keys of a join that are functions of tensors below it, where a batch takes them:
 *
 * <pre>
 * Join f(l) = r (left, right)   ⇒   Project (Join k = r (Project (f(l) AS k, left), right))
 * </pre>
 *
 * Spark asks for the keys of all rows, in every kind of join, and for each of them several times: to which partition a row goes, where it stands there, and which others it meets.
 */
final class KeysFirst extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        Function1<LogicalPlan, LogicalPlan> deeper = this::apply;
        LogicalPlan over = (LogicalPlan) plan.mapChildren(deeper);
        // what a stream keeps of its rows must be the same when it is started again
        return over instanceof Join join && join.condition().isDefined() && !join.isStreaming() ? keyed(join) : over;
    }

    private static LogicalPlan keyed(Join join) {
        Side left = new Side(join.left());
        Side right = new Side(join.right());
        Function1<Expression, Expression> computed = key -> right.computed(left.computed(key));
        List<Expression> conditions = new ArrayList<>();
        Conjuncts.of(join.condition().get())
                .forEach(condition -> conditions.add(
                        areKeys(condition, left, right) ? (Expression) condition.mapChildren(computed) : condition));
        if (left.keys.isEmpty() && right.keys.isEmpty()) {
            return join;
        }
        Option<Expression> condition = Option.apply(Conjuncts.all(conditions).orElseThrow());
        return new Project(
                columns(join.output(), List.of()),
                new Join(left.withKeys(), right.withKeys(), join.joinType(), condition, join.hint()));
    }

    private static boolean areKeys(Expression condition, Side left, Side right) {
        if (!(condition instanceof EqualTo) && !(condition instanceof EqualNullSafe)) {
            return false;
        }
        Expression one = condition.children().apply(0);
        Expression other = condition.children().apply(1);
        return (left.has(one) && right.has(other)) || (left.has(other) && right.has(one));
    }

    private static Seq<NamedExpression> columns(Seq<Attribute> columns, List<Alias> more) {
        return Scala.seq(Stream.<NamedExpression>concat(CollectionConverters.asJava(columns).stream(), more.stream())
                .toList());
    }

    /** A side of a join, and which of its keys are computed there. */
    private static final class Side {
        private final LogicalPlan plan;
        private final List<Alias> keys = new ArrayList<>();

        Side(LogicalPlan plan) {
            this.plan = plan;
        }

        boolean has(Expression key) {
            return !key.references().isEmpty() && key.references().subsetOf(plan.outputSet());
        }

        Expression computed(Expression key) {
            boolean isFunction = key.exists(part -> part instanceof TensorFunction call && !call.isConstant());
            if (!isFunction || !key.deterministic() || !has(key)) {
                return key;
            }
            Alias column = Extraction.column(key, "key");
            keys.add(column);
            return column.toAttribute();
        }

        LogicalPlan withKeys() {
            return keys.isEmpty() ? plan : new Project(columns(plan.output(), keys), plan);
        }
    }
}
