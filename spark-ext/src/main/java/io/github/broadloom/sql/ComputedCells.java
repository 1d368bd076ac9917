package io.github.broadloom.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The arguments of functions that are neither columns nor the same in all rows, such as {@code array(x, y)} or {@code s / 7}: a projection below
 * the batch computes them, in generated code, and the functions read its columns.
 */
final class ComputedCells {
    private final Map<Expression, Alias> columns = new LinkedHashMap<>();
    private final List<Alias> functions = new ArrayList<>();

    /** @param functions each under the name of its column */
    ComputedCells(List<Alias> functions) {
        for (Alias column : functions) {
            TensorFunction function = (TensorFunction) column.child();
            Fusion.of(List.of(function)).cells().forEach(this::add);
            this.functions.add((Alias) column.withNewChildren(one(over(function))));
        }
    }

    private static Seq<Expression> one(Expression child) {
        return CollectionConverters.asScala(List.of(child)).toSeq();
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

    /** What is computed, each under the name of its column. */
    List<Alias> columns() {
        return List.copyOf(columns.values());
    }

    /** The functions over columns, under the names that they had. */
    List<Alias> functions() {
        return functions;
    }

    /** A column of its own for an expression. */
    static Alias column(Expression expression, String name) {
        Seq<String> none = CollectionConverters.asScala(List.<String>of()).toSeq();
        return new Alias(expression, name, NamedExpression.newExprId(), none, Option.empty(), none);
    }
}
