package io.github.broadloom.sql;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.parse.Language.Chapter;
import io.github.broadloom.expr.parse.Language.Entry;
import java.util.ArrayList;
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
    private static final String CELLS = "numbers, arrays of numbers, or arrays of arrays";
    private static final String INPUT = "input - " + CELLS;
    private static final String ROWS = INPUT + ", of one shape in all rows that come together; NULL does not count";
    private static final String VECTORS = " FROM VALUES (array(1d, 2d)), (array(3d, 6d)) AS t(v)";

    static final FunctionText EVAL = new FunctionText(
            Kind.EXPRESSION,
            "text, tensors...",
            "The value of an expression; the tensors are given by its names, or in the order in which these first appear.",
            List.of(
                    "text - an expression such as '(x - m) / s', written in quotes",
                    "tensors - " + CELLS + ", one for each name, such as m => 4; they broadcast"),
            List.of(
                    new Example(
                            "SELECT tensor_eval('(x - m) / s', x => array(1d, 4d, 9d), m => 4, s => 3)",
                            "[-1.0,0.0,1.6666666666666667]"),
                    new Example("SELECT tensor_eval('x.sum(1)', array(array(1, 2), array(3, 4)))", "[3,7]")));

    static final FunctionText LANGUAGE = new FunctionText(
            Kind.EXPRESSION,
            "",
            "A table of what can be written in a text of tensor_eval: the kind, the name, other names, the arguments, what it gives, and the function of SQL that does it alone.",
            List.of(),
            List.of(new Example(
                    "SELECT arguments, function FROM tensor_language() WHERE name = 'softmax'",
                    "input, dim, dtype=None\ttensor_softmax")));

    static final FunctionText SLICE = new FunctionText(
            Kind.EXPRESSION,
            "input, items",
            "A part of a tensor, by NumPy's slices.",
            List.of(
                    INPUT,
                    "items - what NumPy has between the brackets, such as '1:3, None, ..., 0', written in quotes"),
            List.of(
                    new Example("SELECT tensor_slice(array(1, 2, 3, 4), '1:3')", "[2,3]"),
                    new Example("SELECT tensor_slice(array(array(1, 2), array(3, 4)), ':, -1')", "[2,4]")));

    static final FunctionText SHAPE = new FunctionText(
            Kind.CELL,
            "input",
            "The sizes of the dimensions, an array of BIGINT.",
            List.of(INPUT),
            List.of(new Example("SELECT tensor_shape(array(array(1, 2, 3)))", "[1,3]")));

    static final FunctionText DTYPE = new FunctionText(
            Kind.CELL,
            "input",
            "The dtype, by PyTorch's name.",
            List.of(INPUT),
            List.of(new Example("SELECT tensor_dtype(array(1.5f))", "float32")));

    static final FunctionText FILL_NULL = new FunctionText(
            Kind.CELL,
            "input, value",
            "The cells with a number in the place of NULL elements.",
            List.of(INPUT + "; an array that is NULL stays NULL", "value - a plain number that the elements hold"),
            List.of(new Example("SELECT tensor_fill_null(array(1, NULL), 0)", "[1,0]")));

    static final FunctionText FROM_BINARY = new FunctionText(
            Kind.CELL,
            "input, dtype, shape",
            "The tensor whose elements a BINARY holds: row-major, little-endian, one behind the other.",
            List.of(
                    "input - BINARY",
                    "dtype - PyTorch's name, such as 'float32', 'uint8' or 'bfloat16', the same in all rows",
                    "shape - a size, or an array of sizes, the same in all rows; one may be -1, for what remains"),
            List.of(
                    new Example("SELECT tensor_from_binary(X'0000803F00000040', 'float32', 2)", "[1.0,2.0]"),
                    new Example("SELECT tensor_from_binary(X'010203FF', 'uint8', array(2, -1))", "[[1,2],[3,255]]")));

    static final FunctionText FROM_VECTOR = new FunctionText(
            Kind.CELL,
            "input",
            "The elements of a vector of Spark ML, dense or sparse. Other functions take such vectors, too.",
            List.of("input - a column of vectors"),
            List.of());

    /** The chapters of the page, in order; each has one of the groups that Spark knows. */
    enum Kind {
        EXPRESSION("Expressions and rearrangements", "math_funcs"),
        CELL("What cells are", "array_funcs"),
        AGGREGATE("Aggregates of rows, groups and windows", "agg_funcs"),
        POINTWISE(Chapter.POINTWISE),
        COMPOSED(Chapter.COMPOSED),
        REARRANGEMENT(Chapter.REARRANGEMENT),
        PRODUCT(Chapter.PRODUCT),
        PICKING(Chapter.PICKING),
        REDUCTION(Chapter.REDUCTION);

        private final String title;
        private final String group;

        Kind(String title, String group) {
            this.title = title;
            this.group = group;
        }

        /** A chapter of the language, of which a line tells each function. */
        Kind(Chapter chapter) {
            this(chapter.title(), "math_funcs");
        }

        String title() {
            return title;
        }

        boolean isOfLanguage() {
            return compareTo(POINTWISE) >= 0;
        }
    }

    /** @param result of the query, as spark-sql shows it */
    record Example(String query, String result) {}

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

    static FunctionText of(CellTotal.Kind kind) {
        return switch (kind) {
            case SUM -> aggregate("sum", "The sum over the rows; of integers a BIGINT.", "[4.0,8.0]");
            case MEAN -> aggregate("mean", "The mean over the rows; of integers a DOUBLE.", "[2.0,4.0]");
            case MIN -> aggregate("min", "The smallest value over the rows; NaN where one is NaN.", "[1.0,2.0]");
            case MAX -> aggregate("max", "The greatest value over the rows; NaN where one is NaN.", "[3.0,6.0]");
            case STD ->
                new FunctionText(
                        Kind.AGGREGATE,
                        "input, correction=1",
                        "The standard deviation over the rows; NaN where there are no more of them than the correction.",
                        List.of(ROWS, "correction - a plain number, by which the number of rows is lessened"),
                        List.of(new Example("SELECT tensor_std(v, 0)" + VECTORS, "[1.0,2.0]")));
        };
    }

    private static FunctionText aggregate(String name, String gives, String result) {
        return new FunctionText(
                Kind.AGGREGATE,
                "input",
                gives,
                List.of(ROWS),
                List.of(new Example("SELECT tensor_" + name + "(v)" + VECTORS, result)));
    }

    static FunctionText of(Entry entry) {
        String gives = TensorFunctions.nameOf(entry).equals(entry.name())
                ? entry.gives()
                : entry.gives() + " Of the elements of each cell; in a text it is " + entry.name() + ".";
        Kind kind = Kind.valueOf(entry.chapter().name());
        return new FunctionText(kind, entry.signature(), gives, CallText.arguments(entry, CELLS), List.of());
    }

    static FunctionText of(Op op) {
        List<String> arguments = new ArrayList<>();
        arguments.add(String.join(", ", op.arguments()) + " - " + CELLS + (op.arity() > 1 ? ", which broadcast" : ""));
        for (Op.Parameter parameter : op.parameters()) {
            arguments.add(parameter.name() + " - a plain number; " + parameter.shown() + " where it is left out");
        }
        String parameters = op.parameters().stream()
                .map(each -> ", " + each.name() + "=" + each.shown())
                .collect(Collectors.joining());
        return new FunctionText(
                Kind.POINTWISE, String.join(", ", op.arguments()) + parameters, op.doc(), arguments, List.of());
    }
}
