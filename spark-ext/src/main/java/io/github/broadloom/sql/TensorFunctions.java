package io.github.broadloom.sql;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.parse.Language;
import io.github.broadloom.expr.parse.Language.Chapter;
import io.github.broadloom.expr.parse.Language.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/** The functions of SQL: one for every function of the language of texts, under each of its names, and {@code tensor_eval}. */
final class TensorFunctions {
    /** Of the name of each of them. */
    static final String PREFIX = "tensor_";

    private static final String EVAL = PREFIX + "eval";
    private static final String SLICE = PREFIX + "slice";
    private static final int NO_TEXT = -1;

    /** Functions of the elements of a cell, where aggregates of rows have the names that they have in texts. */
    private static final Map<String, String> OF_CELLS = Map.of("sum", "total", "mean", "average", "std", "deviation");

    private TensorFunctions() {}

    /** @param expression the class of its calls */
    record Function(String name, FunctionText text, Class<?> expression, CallArguments.Builder builder) {
        ExpressionInfo info() {
            return text.info(name, expression);
        }

        String usage() {
            return name + "(" + text.signature() + ") - " + text.gives();
        }
    }

    static List<Function> all() {
        List<Function> all = new ArrayList<>();
        all.add(new Function(
                EVAL,
                FunctionText.EVAL,
                TensorFunction.class,
                arguments -> call(EVAL, text(arguments, 0, Template.Text::new), 0, arguments)));
        all.add(new Function(
                SLICE,
                FunctionText.SLICE,
                TensorFunction.class,
                arguments -> call(SLICE, text(arguments, 1, Template.Slice::new), 1, arguments)));
        all.add(cells("shape", FunctionText.SHAPE, new CellKinds.ShapeOf()));
        all.add(cells("dtype", FunctionText.DTYPE, new CellKinds.DTypeOf()));
        all.add(cells("fill_null", FunctionText.FILL_NULL, new CellKinds.FillNull()));
        all.add(cells("from_binary", FunctionText.FROM_BINARY, new CellSources.FromBinary()));
        all.add(cells("from_vector", FunctionText.FROM_VECTOR, new CellSources.FromVector()));
        for (CellTotal.Kind kind : CellTotal.Kind.values()) {
            all.add(aggregate(kind));
        }
        all.addAll(ofLanguage().values());
        return all;
    }

    /** By their names; of an operation that is made of others, too, the form with more arguments, which comes later. */
    private static Map<String, Function> ofLanguage() {
        Map<String, Function> byName = new LinkedHashMap<>();
        for (Entry entry : Language.functions()) {
            Stream.concat(Stream.of(nameOf(entry)), entry.others().stream())
                    .forEach(name -> byName.put(
                            name,
                            entry.chapter() == Chapter.POINTWISE
                                    ? pointwise(name, Op.of(entry.name()))
                                    : made(name, entry)));
        }
        return byName;
    }

    /** The name of a function of the language: what is the name of an aggregate is the name of nothing else. */
    static String nameOf(Entry entry) {
        return OF_CELLS.getOrDefault(entry.name(), entry.name());
    }

    private static Function made(String shortName, Entry entry) {
        String name = PREFIX + shortName;
        return new Function(
                name, FunctionText.of(entry), TensorFunction.class, arguments -> CallText.call(name, entry, arguments));
    }

    private static Function aggregate(CellTotal.Kind kind) {
        String name = PREFIX + kind.name().toLowerCase(Locale.ROOT);
        CallArguments.Builder call = ordered -> new TensorAggregate(name, kind, ordered, 0, 0);
        return function(name, FunctionText.of(kind), TensorAggregate.class, kind::arguments, call);
    }

    private static Function cells(String shortName, FunctionText text, CellFunction.Kind kind) {
        String name = PREFIX + shortName;
        CallArguments.Builder call = ordered -> new CellFunction(name, kind, ordered, null);
        return function(name, text, CellFunction.class, kind::names, call);
    }

    private static Function function(
            String name,
            FunctionText text,
            Class<?> expression,
            Supplier<List<String>> names,
            CallArguments.Builder builder) {
        return new Function(
                name, text, expression, arguments -> CallArguments.call(name, names, NO_TEXT, arguments, builder));
    }

    private static Function pointwise(String shortName, Op op) {
        String name = PREFIX + shortName;
        Template template = new Template.Operation(op);
        return new Function(
                name, FunctionText.of(op), TensorFunction.class, arguments -> call(name, template, NO_TEXT, arguments));
    }

    private static Expression call(String name, Template template, int text, Seq<Expression> arguments) {
        return CallArguments.call(
                name,
                template::arguments,
                text,
                arguments,
                ordered -> TensorFunction.of(name, template, text < 0 ? List.of() : List.of(text), ordered));
    }

    private interface Reading {
        Template of(String text);
    }

    /** The template of the text among the arguments, on which the types depend: one that only a row tells is refused. */
    private static Template text(Seq<Expression> arguments, int place, Reading reading) {
        return arguments.size() > place
                        && arguments.apply(place).dataType() instanceof StringType
                        && CallArguments.isConstant(arguments.apply(place))
                        && arguments.apply(place).eval(null) instanceof UTF8String text
                ? reading.of(text.toString())
                : new Template.Refused(
                        "argument " + (place + 1) + " must be a text, written in quotes where the call is");
    }
}
