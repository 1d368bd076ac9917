package io.github.broadloom.exec;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Expressions over rows, whose columns they find by their places. */
public final class Bound {
    private Bound() {}

    /** @param columns of the rows; those of the expression are among them */
    public static Expression to(Seq<Attribute> columns, Expression expression) {
        List<ExprId> known = CollectionConverters.asJava(columns).stream()
                .map(Attribute::exprId)
                .toList();
        return to(known, expression);
    }

    private static Expression to(List<ExprId> columns, Expression expression) {
        if (expression instanceof Attribute column) {
            return new BoundReference(columns.indexOf(column.exprId()), column.dataType(), column.nullable());
        }
        Function1<Expression, Expression> deeper = part -> to(columns, part);
        return (Expression) expression.mapChildren(deeper);
    }
}
