package io.github.broadloom.sql;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;

/**
 * What is told of a function, by {@code DESCRIBE FUNCTION EXTENDED} and on the page of all functions.
 *
 * @param kind what it works on
 * @param signature the arguments, between the parentheses of a call
 * @param gives a sentence
 * @param arguments for each argument its name, a dash and what it may be
 * @param examples calls, and what they come to
 */
record FunctionText(Kind kind, String signature, String gives, List<String> arguments, List<Example> examples) {
    private static final String SINCE = "0.1.0";

    /** The chapters of the page, in order; each has one of the groups that Spark knows. */
    enum Kind {
        EXPRESSION("Expressions and rearrangements", "math_funcs"),
        CELL("What cells are", "array_funcs"),
        AGGREGATE("Aggregates of rows, groups and windows", "agg_funcs"),
        POINTWISE("Pointwise", "math_funcs");

        private final String title;
        private final String group;

        Kind(String title, String group) {
            this.title = title;
            this.group = group;
        }

        String title() {
            return title;
        }
    }

    /**
     * A call that is worth to be seen.
     *
     * @param query a statement of SQL
     * @param result of it, as spark-sql shows it
     */
    record Example(String query, String result) {}

    /** What Spark wants to know of a function. */
    ExpressionInfo info(String name, Class<?> expression) {
        String none = "";
        return new ExpressionInfo(
                expression.getName(),
                null,
                name,
                "_FUNC_(" + signature + ") - " + gives,
                section("Arguments", arguments.stream().map(argument -> "* " + argument)),
                section("Examples", examples.stream().map(each -> "> " + each.query() + ";\n       " + each.result())),
                none,
                kind.group,
                SINCE,
                none,
                none);
    }

    private static String section(String title, Stream<String> lines) {
        String text = lines.map(line -> "      " + line + "\n").collect(Collectors.joining());
        return text.isEmpty() ? "" : "\n    " + title + ":\n" + text + "  ";
    }
}
