package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.table.CellType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The arguments of a call of SQL: how many there are, and which stand where; named ones, {@code tensor_clamp(x, min => 0, max => 1)}, are brought to their places. A name may be in any case, as SQL's are. */
final class CallArguments {
    private CallArguments() {}

    interface Builder {
        Expression build(Seq<Expression> arguments);
    }

    /**
     * A call whose arguments stand in their order; where they cannot, one that is refused when it is analysed.
     *
     * @param names of all arguments that there may be
     * @param text the place of an argument that has no name; -1 where all have one
     */
    static Expression call(
            String function, Supplier<List<String>> names, int text, Seq<Expression> arguments, Builder builder) {
        List<Expression> given = new ArrayList<>(CollectionConverters.asJava(arguments));
        if (given.stream().noneMatch(NamedArgumentExpression.class::isInstance)) {
            return builder.build(arguments);
        }
        try {
            List<Expression> texts = text < 0 || text >= given.size() ? List.of() : List.of(given.remove(text));
            List<Expression> ordered = ordered(names.get(), given);
            ordered.addAll(Math.max(0, text), texts);
            return builder.build(Scala.seq(ordered));
        } catch (IllegalArgumentException e) {
            return TensorFunction.refused(function, String.valueOf(e.getMessage()));
        }
    }

    /** @throws IllegalArgumentException naming an argument of no such name, given twice or left out before another, or without a name behind one that has */
    private static List<Expression> ordered(List<String> names, List<Expression> arguments) {
        List<Expression> ordered = new ArrayList<>();
        SortedMap<Integer, Expression> named = new TreeMap<>();
        for (Expression argument : arguments) {
            if (argument instanceof NamedArgumentExpression pair) {
                int place = place(names, pair.key());
                if (place < ordered.size() || named.put(place, pair.value()) != null) {
                    throw new IllegalArgumentException(names.get(place) + " is given twice");
                }
            } else if (named.isEmpty()) {
                ordered.add(argument);
            } else {
                throw new IllegalArgumentException("an argument without a name stands behind one with a name");
            }
        }
        named.forEach((place, value) -> {
            if (place > ordered.size()) {
                throw new IllegalArgumentException(names.get(ordered.size()) + " is missing");
            }
            ordered.add(value);
        });
        return ordered;
    }

    private static int place(List<String> names, String name) {
        if (names.contains(name)) {
            return names.indexOf(name);
        }
        for (int place = 0; place < names.size(); place++) {
            if (names.get(place).equalsIgnoreCase(name)) {
                return place;
            }
        }
        throw new IllegalArgumentException("it has no argument " + name + "; it takes " + String.join(", ", names));
    }

    /** @throws IllegalArgumentException naming the function and its arguments, where there are fewer or more */
    static void checkCount(String function, int given, List<String> names, int required, int most) {
        if (given >= required && given <= most) {
            return;
        }
        String wanted = names.isEmpty() ? "none" : names.size() + " (" + String.join(", ", names) + ")";
        throw new IllegalArgumentException(
                "Cannot call " + function + " with " + given + " argument" + (given == 1 ? "" : "s") + "; it takes "
                        + wanted + (required < names.size() ? ", of which the last may be left out" : ""));
    }

    /** Whether an argument is the same in all rows and known before the first: what is written, put together of that, or a variable of the session. */
    static boolean isConstant(Expression argument) {
        return argument.resolved() && argument.foldable() && !argument.exists(part -> part instanceof Unevaluable);
    }

    /** The Boolean, integer or floating number that is written there; empty where something else is, or null. Dates and intervals are none, though Spark holds them as numbers. */
    static Optional<Object> plainNumber(Expression expression) {
        return expression instanceof Literal literal && CellType.isNumber(literal.dataType())
                ? number(literal.value())
                : Optional.empty();
    }

    /** As {@link #plainNumber}, or what an expression without columns comes to, such as {@code -pi()} or a variable of the session. */
    static Optional<Object> constantNumber(Expression expression) {
        return expression.foldable() && CellType.isNumber(expression.dataType())
                ? number(expression.eval(null))
                : Optional.empty();
    }

    private static Optional<Object> number(@Nullable Object value) {
        return Optional.ofNullable(value instanceof Decimal decimal ? (Object) decimal.toDouble() : value);
    }
}
