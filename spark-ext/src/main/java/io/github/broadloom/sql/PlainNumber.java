package io.github.broadloom.sql;

import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.Decimal;

/** Numbers that are written into a query. */
final class PlainNumber {
    private PlainNumber() {}

    /** The Boolean, integer or floating number that is written there; empty where something else is, or null. */
    static Optional<Object> of(Expression expression) {
        Object value = expression instanceof Literal literal ? literal.value() : null;
        if (value instanceof Decimal decimal) {
            return Optional.of(decimal.toDouble());
        }
        return value instanceof Number || value instanceof Boolean ? Optional.of(value) : Optional.empty();
    }
}
