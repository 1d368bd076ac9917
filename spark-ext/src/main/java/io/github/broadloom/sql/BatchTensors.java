package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.sql.BatchSettings.When;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.ArrayType;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Takes the functions of tensors out of projections where they are worth a batch, into a {@link TensorBatchExec} below. */
final class BatchTensors extends ColumnarRule {
    /** By name: Spark has the second since 4.1. */
    private static final Set<String> ROW_BY_ROW = Set.of("ContinuousScanExec", "RealTimeStreamScanExec");

    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
        return new Batching();
    }

    private static final class Batching extends Rule<SparkPlan> {
        @Override
        public SparkPlan apply(SparkPlan plan) {
            if (!isConcerned(plan) || isContinuous(plan)) {
                return plan; // nor refused for a wrong setting: SET and RESET are plans, too
            }
            BatchSettings settings = BatchSettings.of(conf());
            return settings.when() == When.NEVER ? plan : batched(plan, settings);
        }
    }

    private static boolean isConcerned(SparkPlan plan) {
        return plan.exists(part -> CollectionConverters.asJava(part.expressions()).stream()
                .anyMatch(expression -> expression.exists(TensorFunction.class::isInstance)));
    }

    /** Whether rows come one by one, and each is wanted at once: none may wait until a batch is full. */
    private static boolean isContinuous(SparkPlan plan) {
        return plan.exists(part -> ROW_BY_ROW.contains(part.getClass().getSimpleName()));
    }

    private static SparkPlan batched(SparkPlan plan, BatchSettings settings) {
        Function1<SparkPlan, SparkPlan> deeper = child -> batched(child, settings);
        SparkPlan over = (SparkPlan) plan.mapChildren(deeper);
        return over instanceof ProjectExec project ? new Extraction(settings).of(project) : over;
    }

    /** The functions of one projection, each of which is evaluated once. */
    private static final class Extraction {
        private final BatchSettings settings;
        private final Map<Expression, Alias> columns = new LinkedHashMap<>();

        Extraction(BatchSettings settings) {
            this.settings = settings;
        }

        SparkPlan of(ProjectExec project) {
            List<NamedExpression> above = new ArrayList<>();
            for (NamedExpression column : CollectionConverters.asJava(project.projectList())) {
                above.add((NamedExpression) without((Expression) column));
            }
            if (columns.isEmpty()) {
                return project;
            }
            ComputedCells cells = new ComputedCells(List.copyOf(columns.values()));
            SparkPlan batch = new TensorBatchExec(
                    Scala.seq(read(project.child(), above)),
                    Scala.seq(cells.functions()),
                    below(project.child(), above, cells),
                    settings);
            return new ProjectExec(Scala.seq(above), batch);
        }

        /** The rows that the batch reads: with what is computed for it, which may be functions of tensors as well. */
        private SparkPlan below(SparkPlan child, List<NamedExpression> above, ComputedCells cells) {
            if (cells.columns().isEmpty()) {
                return child;
            }
            List<NamedExpression> users = new ArrayList<>(above);
            users.addAll(cells.functions());
            List<NamedExpression> columns = new ArrayList<>(read(child, users));
            columns.addAll(cells.columns());
            return new Extraction(settings).of(new ProjectExec(Scala.seq(columns), child));
        }

        private static List<Attribute> read(SparkPlan child, List<NamedExpression> users) {
            return CollectionConverters.asJava(child.output()).stream()
                    .filter(column -> users.stream()
                            .anyMatch(user -> ((Expression) user).references().contains(column)))
                    .toList();
        }

        /** The expression, with the columns of functions in their place. */
        private Expression without(Expression expression) {
            if (isGuarded(expression)) {
                return expression;
            }
            if (expression instanceof TensorFunction function && isWorthIt(function)) {
                return columns.computeIfAbsent(
                                function.canonicalized(), key -> ComputedCells.column(function, function.prettyName()))
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

        private boolean isWorthIt(TensorFunction function) {
            return !function.isConstant()
                    && (settings.when() == When.ALWAYS
                            || !settings.device().equals("cpu")
                            || function.arguments().stream()
                                    .anyMatch(argument -> argument.dataType() instanceof ArrayType));
        }
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

        static Alias column(Expression expression, String name) {
            Seq<String> none = Scala.seq(List.<String>of());
            return new Alias(expression, name, NamedExpression.newExprId(), none, Option.empty(), none);
        }
    }
}
