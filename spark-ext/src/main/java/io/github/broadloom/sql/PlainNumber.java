package io.github.broadloom.sql;

import io.github.broadloom.table.CellType;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/** Numbers that are known before the first row. */
final class PlainNumber {
    private PlainNumber() {}

    /** The Boolean, integer or floating number that is written there; empty where something else is, or null. Dates and intervals are none, though Spark holds them as numbers. */
    static Optional<Object> of(Expression expression) {
        return expression instanceof Literal literal && CellType.isNumber(literal.dataType())
                ? number(literal.value())
                : Optional.empty();
    }

    /** As {@link #of}, or what an expression without columns comes to, such as {@code -pi()} or a variable of the session. */
    static Optional<Object> constant(Expression expression) {
        return expression.foldable() && CellType.isNumber(expression.dataType())
                ? number(expression.eval(null))
                : Optional.empty();
    }

    private static Optional<Object> number(@Nullable Object value) {
        return Optional.ofNullable(value instanceof Decimal decimal ? (Object) decimal.toDouble() : value);
    }
}
