package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.expr.parse.Language.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A call of SQL as one of the language of {@code tensor_eval}: {@code tensor_softmax(x, dim => 1)} is {@code softmax(input, dim=1)} of {@code x}. Tensors have names there, and what
 * decides types, such as dimensions, is written into the text: it is the same in all rows.
 */
final class CallText {
    /** The names of arguments that are tensors; all others are constants, but for {@code q}, which may be either. */
    private static final Set<String> TENSORS =
            Set.of("input", "other", "min", "max", "mat2", "vec", "tensor", "tensors", "operands");

    private static final String EITHER = "q";
    private static final Pattern WORD = Pattern.compile("\\w+");

    private final List<Parameter> parameters;
    private final List<String> written = new ArrayList<>();
    private final List<Expression> children = new ArrayList<>();
    private final List<Integer> constants = new ArrayList<>();
    private final Set<Parameter> given = new HashSet<>();
    private boolean isNamed;

    /** @param isVariadic whether there may be several of it */
    private record Parameter(String name, boolean isVariadic) {
        static Parameter of(String text) {
            return new Parameter(text.replaceFirst("=.*", "").replace("*", ""), text.startsWith("*"));
        }

        boolean isTensor(Expression argument) {
            return TENSORS.contains(name) || name.equals(EITHER) && !argument.foldable();
        }
    }

    private CallText(Entry function) {
        this.parameters = parameters(function).map(Parameter::of).toList();
    }

    private static Stream<String> parameters(Entry function) {
        return Stream.of(function.signature().split(", "));
    }

    /** What is said of each argument. */
    static List<String> arguments(Entry function, String cells) {
        return parameters(function)
                .map(text -> {
                    Parameter parameter = Parameter.of(text);
                    String otherwise =
                            text.contains("=") ? "; " + text.replaceFirst(".*?=", "") + " where it is left out" : "";
                    String what = TENSORS.contains(parameter.name()) ? cells : "the same in all rows";
                    return parameter.name() + (parameter.isVariadic() ? "..." : "") + " - " + what + otherwise;
                })
                .toList();
    }

    static Expression call(String name, Entry function, Seq<Expression> arguments) {
        CallText call = new CallText(function);
        try {
            call.inOrder(CollectionConverters.asJava(arguments)).forEach(call::add);
        } catch (IllegalArgumentException e) {
            return TensorFunction.refused(name, String.valueOf(e.getMessage()));
        }
        String text = function.name() + "(" + String.join(", ", call.written) + ")";
        return TensorFunction.of(name, new Template.Call(text), call.constants, Scala.seq(call.children));
    }

    /** Where all have names, the first argument stands first, as the language wants it. */
    private List<Expression> inOrder(List<Expression> arguments) {
        return arguments.stream().allMatch(NamedArgumentExpression.class::isInstance)
                ? arguments.stream()
                        .sorted(Comparator.comparing(argument -> !isFirst((NamedArgumentExpression) argument)))
                        .toList()
                : arguments;
    }

    private boolean isFirst(NamedArgumentExpression argument) {
        return argument.key().equalsIgnoreCase(parameters.get(0).name());
    }

    private void add(Expression argument) {
        if (!(argument instanceof NamedArgumentExpression named)) {
            if (isNamed) {
                throw new IllegalArgumentException("an argument without a name stands behind one with a name");
            }
            add("", parameterAt(children.size()), argument);
            return;
        }
        Parameter parameter = parameters.stream()
                .filter(known -> known.name().equalsIgnoreCase(named.key()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("it has no argument " + named.key() + "; it takes "
                        + parameters.stream().map(Parameter::name).collect(Collectors.joining(", "))));
        isNamed = true;
        if (given.contains(parameter)) {
            throw new IllegalArgumentException(parameter.name() + " is given twice");
        }
        boolean isFirst = children.isEmpty() && parameter.equals(parameters.get(0));
        add(isFirst ? "" : parameter.name() + "=", parameter, named.value());
    }

    /** Of several the last one; those that follow what may be several have names. */
    private Parameter parameterAt(int place) {
        int several = IntStream.range(0, parameters.size())
                .filter(each -> parameters.get(each).isVariadic())
                .findFirst()
                .orElse(Integer.MAX_VALUE);
        int known = Math.min(place, several);
        if (known >= parameters.size()) {
            throw new IllegalArgumentException((place + 1) + " arguments given; it takes "
                    + parameters.stream().map(Parameter::name).collect(Collectors.joining(", ")));
        }
        return parameters.get(known);
    }

    private void add(String keyword, Parameter parameter, Expression argument) {
        if (parameter.isTensor(argument)) {
            String number = parameter.isVariadic() ? String.valueOf(children.size()) : "";
            written.add(keyword + parameter.name() + number);
        } else {
            if (!CallArguments.isConstant(argument)) {
                throw new IllegalArgumentException(parameter.name()
                        + " must be the same in all rows; write a constant, or use a variable of the session");
            }
            if (!isWritable(argument.dataType())) { // before it is evaluated, which not all of them can be
                throw new IllegalArgumentException(parameter.name() + " is "
                        + argument.dataType().sql() + "; give a number, a truth, a text or an array of numbers");
            }
            constants.add(children.size());
            written.add(keyword + constant(parameter, argument.eval(null), argument.dataType()));
        }
        children.add(argument);
        given.add(parameter);
    }

    private static String constant(Parameter parameter, @Nullable Object value, DataType type) {
        if (value == null) {
            return "None";
        }
        if (value instanceof ArrayData array && type instanceof ArrayType several) {
            return Stream.of(array.toObjectArray(several.elementType()))
                    .map(each -> constant(parameter, each, several.elementType()))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof UTF8String text) {
            return parameter.name().equals("dtype") ? word(text.toString()) : quoted(parameter, text.toString());
        }
        if (value instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        Object number = value instanceof Decimal decimal ? (Object) decimal.toDouble() : value;
        return number.toString().replace("Infinity", "inf").toLowerCase(Locale.ROOT);
    }

    private static boolean isWritable(DataType type) {
        return type instanceof ArrayType several
                ? isWritable(several.elementType())
                : type.sql()
                        .matches(
                                "VOID|BOOLEAN|STRING.*|(VAR)?CHAR.*|TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|DECIMAL.*");
    }

    private static String word(String text) {
        if (!WORD.matcher(text).matches()) {
            throw new IllegalArgumentException("dtype is '" + text + "'; write one such as 'float32'");
        }
        return text;
    }

    private static String quoted(Parameter parameter, String text) {
        if (text.contains("'")) {
            throw new IllegalArgumentException(
                    parameter.name() + " is \"" + text + "\"; write it without quotes in it");
        }
        return "'" + text + "'";
    }
}
