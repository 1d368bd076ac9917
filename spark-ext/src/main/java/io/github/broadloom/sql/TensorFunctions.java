package io.github.broadloom.sql;

import io.github.broadloom.expr.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/** The functions of SQL: one for every operation of the table, under each of its names, and {@code tensor_eval}. */
final class TensorFunctions {
    /** Of the name of each of them. */
    static final String PREFIX = "tensor_";

    private static final String EVAL = PREFIX + "eval";
    private static final int NO_TEXT = -1;

    private TensorFunctions() {}

    /**
     * A function.
     *
     * @param usage how it is called, and what it gives, for {@code DESCRIBE FUNCTION}
     */
    record Function(String name, String usage, NamedArguments.Builder builder) {
        ExpressionInfo info() {
            String none = "";
            return new ExpressionInfo(
                    TensorFunction.class.getName(), none, name, usage, none, none, none, none, none, none, none);
        }
    }

    static List<Function> all() {
        List<Function> all = new ArrayList<>();
        for (Op op : Op.all()) {
            Stream.concat(Stream.of(op.name()), op.aliases().stream())
                    .map(name -> pointwise(PREFIX + name, op))
                    .forEach(all::add);
        }
        all.add(new Function(
                EVAL,
                "_FUNC_(text, tensors...) - The value of an expression such as '(x - m) / s', whose names stand for the tensors in the order in"
                        + " which they first appear.",
                TensorFunctions::eval));
        all.add(new Function(
                PREFIX + "reshape",
                "_FUNC_(input, sizes...) - As many elements in another shape, in row-major order; one size may be -1.",
                arguments -> call(PREFIX + "reshape", new Template.Reshape(), NO_TEXT, arguments)));
        all.add(new Function(
                PREFIX + "slice",
                "_FUNC_(input, items) - A part of a tensor by NumPy's slices, such as '1:3, None, ..., 0'.",
                TensorFunctions::slice));
        all.add(cells("shape", "input) - The sizes of the dimensions.", new CellKinds.ShapeOf()));
        all.add(cells("dtype", "input) - The dtype, by PyTorch's name.", new CellKinds.DTypeOf()));
        all.add(cells(
                "fill_null", "input, value) - The number in the place of null elements.", new CellKinds.FillNull()));
        all.add(aggregate("sum", CellTotal.Kind.SUM, "input) - The sum over the rows; of integers an int64."));
        all.add(aggregate("mean", CellTotal.Kind.MEAN, "input) - The mean over the rows; of integers a float64."));
        all.add(
                aggregate(
                        "std",
                        CellTotal.Kind.STD,
                        "input, correction=1) - The standard deviation over the rows, whose number is lessened by the correction."));
        all.add(aggregate(
                "min", CellTotal.Kind.MIN, "input) - The smallest value over the rows; NaN where one is NaN."));
        all.add(aggregate(
                "max", CellTotal.Kind.MAX, "input) - The greatest value over the rows; NaN where one is NaN."));
        return all;
    }

    private static Function aggregate(String name, CellTotal.Kind kind, String usage) {
        return new Function(
                PREFIX + name,
                "_FUNC_(" + usage,
                arguments -> NamedArguments.call(
                        PREFIX + name,
                        kind::arguments,
                        NO_TEXT,
                        arguments,
                        ordered -> new TensorAggregate(PREFIX + name, kind, ordered, 0, 0)));
    }

    private static Function cells(String name, String usage, CellFunction.Kind kind) {
        return new Function(
                PREFIX + name,
                "_FUNC_(" + usage,
                arguments -> NamedArguments.call(
                        PREFIX + name,
                        kind::names,
                        NO_TEXT,
                        arguments,
                        ordered -> CellFunction.of(PREFIX + name, kind, ordered)));
    }

    private static Function pointwise(String name, Op op) {
        Template template = new Template.Operation(op);
        String parameters = op.parameters().stream()
                .map(each -> ", " + each.name() + "=" + each.shown())
                .collect(Collectors.joining());
        String usage = "_FUNC_(" + String.join(", ", op.arguments()) + parameters + ") - " + op.doc();
        return new Function(name, usage, arguments -> call(name, template, NO_TEXT, arguments));
    }

    private static Expression eval(Seq<Expression> arguments) {
        return call(EVAL, text(arguments, 0, Template.Text::new), 0, arguments);
    }

    private static Expression slice(Seq<Expression> arguments) {
        return call(PREFIX + "slice", text(arguments, 1, Template.Slice::new), 1, arguments);
    }

    private static Expression call(String name, Template template, int text, Seq<Expression> arguments) {
        return NamedArguments.call(
                name,
                template::arguments,
                text,
                arguments,
                ordered -> TensorFunction.of(name, template, text, ordered));
    }

    /** What makes a template of a text. */
    private interface Reading {
        Template of(String text);
    }

    /** The template of the text among the arguments, on which the types depend: one that only a row tells is refused. */
    private static Template text(Seq<Expression> arguments, int place, Reading reading) {
        return arguments.size() > place
                        && arguments.apply(place) instanceof Literal literal
                        && literal.value() instanceof UTF8String text
                ? reading.of(text.toString())
                : new Template.Refused(
                        "argument " + (place + 1) + " must be a text, written in quotes where the call is");
    }
}
