package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.table.CellType;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NullType;
import scala.Function1;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Makes numbers that tensors hold of those that SQL has besides, as Spark's own mathematical functions do: decimals become doubles, but for one that is written into the
 * query, which promotes as Python's numbers do; what is {@code NULL}, or an empty array, takes the type of the first argument that has one, so that it does not promote; vectors of Spark ML become arrays.
 */
final class ArgumentTypes extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return (LogicalPlan) plan.resolveExpressions(new Calls());
    }

    private static final class Calls extends AbstractPartialFunction<Expression, Expression> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isDefinedAt(Expression expression) {
            return (expression instanceof RowExpression || expression instanceof TensorAggregate)
                    && expression.childrenResolved()
                    && !(expression instanceof CellFunction cells && cells.meaning() instanceof CellSources.FromVector);
        }

        @Override
        @SuppressWarnings("unchecked") // B is a supertype of what this function gives
        public <A extends Expression, B> B applyOrElse(A expression, Function1<A, B> otherwise) {
            return isDefinedAt(expression) ? (B) retyped(expression) : otherwise.apply(expression);
        }
    }

    private static Expression retyped(Expression call) {
        List<Expression> arguments = CollectionConverters.asJava(call.children());
        DataType known = arguments.stream()
                .map(argument -> element(argument.dataType()))
                .filter(type -> CellType.dtype(type).isPresent())
                .findFirst()
                .orElse(DataTypes.DoubleType);
        List<Expression> retyped = arguments.stream()
                .map(argument -> isPlainDecimal(argument) && !isCell(call, argument) ? argument : cast(argument, known))
                .toList();
        return retyped.equals(arguments)
                ? call
                : (Expression) call.withNewChildren(
                        CollectionConverters.asScala(retyped).toIndexedSeq());
    }

    /** Functions that compute nothing, and aggregates, have cells first, and behind them numbers. */
    private static boolean isCell(Expression call, Expression argument) {
        return !(call instanceof TensorFunction) && argument == call.children().head();
    }

    private static boolean isPlainDecimal(Expression argument) {
        return argument instanceof Literal && argument.dataType() instanceof DecimalType;
    }

    private static Expression cast(Expression argument, DataType known) {
        if (CellSources.FromVector.isVector(argument.dataType())) {
            return new CellFunction(
                    TensorFunctions.PREFIX + "from_vector",
                    new CellSources.FromVector(),
                    Scala.seq(List.of(argument)),
                    null);
        }
        DataType wanted = wanted(argument.dataType(), known);
        return wanted.equals(argument.dataType())
                ? argument
                : new Cast(argument, wanted, Option.empty(), EvalMode.ANSI());
    }

    private static DataType element(DataType type) {
        return type instanceof ArrayType array
                ? element(array.elementType())
                : type instanceof DecimalType ? DataTypes.DoubleType : type;
    }

    private static DataType wanted(DataType type, DataType known) {
        if (type instanceof ArrayType array) {
            return DataTypes.createArrayType(wanted(array.elementType(), known), array.containsNull());
        }
        if (type instanceof NullType) {
            return known;
        }
        return type instanceof DecimalType ? DataTypes.DoubleType : type;
    }
}
