package io.github.broadloom.sql;

import io.github.broadloom.exec.Conjuncts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Partial$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Operators over batches of the functions of tensors that they call. */
final class Batches {
    private final BatchSettings settings;

    Batches(BatchSettings settings) {
        this.settings = settings;
    }

    /** The operator over a batch; itself where there is none. */
    SparkPlan of(SparkPlan plan) {
        if (plan instanceof ProjectExec project) {
            return Extraction.of(project, settings);
        }
        if (mayFilter(plan)) {
            return filter(plan).map(filter -> of(filter, plan)).orElse(plan);
        }
        return plan instanceof BaseAggregateExec aggregate ? aggregated(aggregate, plan) : plan;
    }

    private SparkPlan of(FilterExec filter, SparkPlan plan) {
        SparkPlan filtered = filtered(filter, columns(plan.output()));
        return filtered == filter ? plan : new ProjectExec(columns(plan.output()), filtered);
    }

    /** Whether an operator has a condition that refuses rows, with which some {@linkplain #filter are a filter}. */
    static boolean mayFilter(SparkPlan plan) {
        return plan instanceof FilterExec || plan instanceof BaseJoinExec;
    }

    private static Seq<NamedExpression> columns(Seq<Attribute> output) {
        return Scala.seq(new ArrayList<>(CollectionConverters.asJava(output)));
    }

    /**
     * A filter over a batch for each condition that has functions of tensors. They are asked in their order, as the rows that one refuses may be none for the next. The columns of functions
     * are still among those of the result.
     *
     * @param needed what reads the result
     */
    SparkPlan filtered(FilterExec filter, Seq<? extends NamedExpression> needed) {
        List<Expression> conditions = Conjuncts.of(filter.condition()).toList();
        List<Expression> waiting = new ArrayList<>();
        SparkPlan below = filter.child();
        for (int i = 0; i < conditions.size(); i++) {
            Extraction extraction = new Extraction(settings);
            Expression condition = extraction.without(conditions.get(i));
            if (extraction.isEmpty()) {
                waiting.add(condition);
                continue;
            }
            List<Expression> readers = new ArrayList<>(List.of(condition));
            readers.addAll(conditions.subList(i + 1, conditions.size()));
            CollectionConverters.asJava(needed).forEach(column -> readers.add((Expression) column));
            below = new FilterExec(condition, extraction.below(filter(waiting, below), readers));
            waiting.clear();
        }
        return below == filter.child() ? filter : filter(waiting, below);
    }

    private static SparkPlan filter(List<Expression> conditions, SparkPlan child) {
        return Conjuncts.all(conditions)
                .<SparkPlan>map(all -> new FilterExec(all, child))
                .orElse(child);
    }

    /**
     * The operator as a filter. Of a join whose result is all pairs that meet the condition, the conditions from the first with functions of tensors on are one above it; empty
     * where there is none.
     */
    Optional<FilterExec> filter(SparkPlan plan) {
        if (plan instanceof FilterExec filter) {
            return Optional.of(filter);
        }
        return plan instanceof BaseJoinExec join
                        && join.joinType() instanceof InnerLike
                        && join.condition().isDefined()
                ? filter(plan, join.condition().get())
                : Optional.empty();
    }

    private Optional<FilterExec> filter(SparkPlan join, Expression all) {
        List<Expression> conditions = Conjuncts.of(all).toList();
        int first = 0;
        while (first < conditions.size() && !hasFunctions(conditions.get(first))) {
            first++;
        }
        Expression before = Conjuncts.all(conditions.subList(0, first)).orElse(Literal.TrueLiteral());
        Function1<Expression, Expression> shorter = expression -> expression == all ? before : expression;
        return Conjuncts.all(conditions.subList(first, conditions.size()))
                .map(behind -> new FilterExec(behind, (SparkPlan) join.mapExpressions(shorter)));
    }

    private boolean hasFunctions(Expression condition) {
        Extraction extraction = new Extraction(settings);
        extraction.without(condition);
        return !extraction.isEmpty();
    }

    /** The arguments of aggregate functions that take rows; one with a filter of its own takes some of them, for the others its arguments might fail. */
    private SparkPlan aggregated(BaseAggregateExec aggregate, SparkPlan plan) {
        List<AggregateExpression> functions = CollectionConverters.asJava(aggregate.aggregateExpressions());
        if (!functions.stream().allMatch(Batches::takesRows)) {
            return plan;
        }
        Extraction extraction = new Extraction(settings);
        Function1<Expression, Expression> argument = extraction::without;
        Function1<Expression, Expression> over = expression -> expression instanceof AggregateExpression function
                        && function.filter().isEmpty()
                ? (Expression) function.mapChildren(argument)
                : expression;
        SparkPlan above = (SparkPlan) plan.mapExpressions(over);
        if (extraction.isEmpty()) {
            return plan;
        }
        List<Expression> readers =
                new ArrayList<>(CollectionConverters.asJava(((BaseAggregateExec) above).aggregateExpressions()));
        CollectionConverters.asJava(aggregate.groupingExpressions())
                .forEach(column -> readers.add((Expression) column));
        SparkPlan child = plan.children().head();
        return (SparkPlan) above.withNewChildren(Scala.seq(List.of(extraction.below(child, readers))));
    }

    private static boolean takesRows(AggregateExpression function) {
        return function.mode() == Partial$.MODULE$ || function.mode() == Complete$.MODULE$;
    }
}
