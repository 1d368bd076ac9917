package io.github.broadloom.sql.nearest;

import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;

/** Numbers that are written into a ranking. */
final class Numbers {
    private Numbers() {}

    /** The value of a floating literal that is neither NULL nor infinite nor NaN. */
    static Optional<Double> finite(Expression expression) {
        if (expression instanceof Literal literal
                && literal.value() instanceof Number number
                && (literal.dataType() instanceof DoubleType || literal.dataType() instanceof FloatType)
                && Double.isFinite(number.doubleValue())) {
            return Optional.of(number.doubleValue());
        }
        return Optional.empty();
    }
}
