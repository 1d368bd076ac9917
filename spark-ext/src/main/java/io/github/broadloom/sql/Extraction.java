package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.sql.BatchSettings.When;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.ArrayType;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The functions of tensors that are taken out of the expressions of one operator, each of which a batch below evaluates once. */
final class Extraction {
    private final BatchSettings settings;
    private final Map<Expression, Alias> columns = new LinkedHashMap<>();

    Extraction(BatchSettings settings) {
        this.settings = settings;
    }

    /** The projection over a batch; itself where it has no function that is worth one. */
    static SparkPlan of(ProjectExec project, BatchSettings settings) {
        Extraction extraction = new Extraction(settings);
        List<NamedExpression> above = new ArrayList<>();
        for (NamedExpression column : CollectionConverters.asJava(project.projectList())) {
            above.add((NamedExpression) extraction.without((Expression) column));
        }
        return extraction.isEmpty()
                ? project
                : new ProjectExec(Scala.seq(above), extraction.below(project.child(), expressions(above)));
    }

    private static List<Expression> expressions(List<? extends NamedExpression> columns) {
        return columns.stream().map(Expression.class::cast).toList();
    }

    boolean isEmpty() {
        return columns.isEmpty();
    }

    /** The batch of what was taken out, with the columns of the child that the expressions above it read. */
    SparkPlan below(SparkPlan child, List<? extends Expression> above) {
        ComputedCells cells = new ComputedCells(List.copyOf(columns.values()));
        return new TensorBatchExec(
                Scala.seq(read(child, above)), Scala.seq(cells.functions()), computing(child, above, cells), settings);
    }

    /** The rows that the batch reads: with what is computed for it, which may be functions of tensors as well. */
    private SparkPlan computing(SparkPlan child, List<? extends Expression> above, ComputedCells cells) {
        if (cells.columns().isEmpty()) {
            return child;
        }
        List<Expression> users = new ArrayList<>(above);
        users.addAll(cells.functions());
        List<NamedExpression> columns = new ArrayList<>(read(child, users));
        columns.addAll(cells.columns());
        return of(new ProjectExec(Scala.seq(columns), child), settings);
    }

    private static List<Attribute> read(SparkPlan child, List<? extends Expression> users) {
        return CollectionConverters.asJava(child.output()).stream()
                .filter(column ->
                        users.stream().anyMatch(user -> user.references().contains(column)))
                .toList();
    }

    /** The expression, with the columns of functions in their place. */
    Expression without(Expression expression) {
        if (isGuarded(expression)) {
            return expression;
        }
        if (expression instanceof TensorFunction function && isWorthIt(function)) {
            return columns.computeIfAbsent(function.canonicalized(), key -> column(function, function.prettyName()))
                    .toAttribute();
        }
        Function1<Expression, Expression> deeper = this::without;
        return (Expression) expression.mapChildren(deeper);
    }

    /**
     * Whether an expression evaluates some of its children for some rows alone, for the others they might fail; or, as those of {@code transform}, for the
     * elements of an array, which no column has.
     */
    private static boolean isGuarded(Expression expression) {
        return expression instanceof ConditionalExpression
                || expression instanceof LambdaFunction
                || expression instanceof And
                || expression instanceof Or
                || !expression.deterministic();
    }

    /** An expression as a column of a name that need not be the only one. */
    static Alias column(Expression expression, String name) {
        Seq<String> none = Scala.seq(List.<String>of());
        return new Alias(expression, name, NamedExpression.newExprId(), none, Option.empty(), none);
    }

    private boolean isWorthIt(TensorFunction function) {
        return !function.isConstant()
                && (settings.when() == When.ALWAYS
                        || !settings.device().equals("cpu")
                        || function.arguments().stream()
                                .anyMatch(argument -> argument.dataType() instanceof ArrayType));
    }

    /**
     * The arguments of functions that are neither columns nor the same in all rows, such as {@code array(x, y)} or {@code s / 7}: a projection below
     * the batch computes them, in generated code, and the functions read its columns.
     */
    private static final class ComputedCells {
        private final Map<Expression, Alias> columns = new LinkedHashMap<>();
        private final List<Alias> functions = new ArrayList<>();

        ComputedCells(List<Alias> functions) {
            for (Alias column : functions) {
                TensorFunction function = (TensorFunction) column.child();
                Fusion.of(List.of(function)).cells().forEach(this::add);
                this.functions.add((Alias) column.withNewChildren(Scala.seq(List.of(over(function)))));
            }
        }

        private void add(Expression cell) {
            if (!(cell instanceof Attribute) && !cell.foldable()) {
                columns.computeIfAbsent(cell.canonicalized(), key -> column(cell, "cell"));
            }
        }

        /** The function, with columns in the place of what is computed. */
        private Expression over(TensorFunction function) {
            Function1<Expression, Expression> read = this::read;
            return (Expression) function.mapChildren(read);
        }

        private Expression read(Expression argument) {
            Alias known = columns.get(argument.canonicalized());
            if (known != null) {
                return known.toAttribute();
            }
            return argument instanceof TensorFunction function ? over(function) : argument;
        }

        List<Alias> columns() {
            return List.copyOf(columns.values());
        }

        /** The functions over columns, under the names that they had. */
        List<Alias> functions() {
            return functions;
        }
    }
}
