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
    private static final String PREFIX = "tensor_";
    private static final String EVAL = PREFIX + "eval";

    private TensorFunctions() {}

    /** Makes a call of what is written between the parentheses. */
    interface Builder {
        Expression build(Seq<Expression> arguments);
    }

    /**
     * A function.
     *
     * @param usage how it is called, and what it gives, for {@code DESCRIBE FUNCTION}
     */
    record Function(String name, String usage, Builder builder) {
        ExpressionInfo info() {
            return new ExpressionInfo(TensorFunction.class.getName(), null, name, usage, "");
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
        return all;
    }

    private static Function pointwise(String name, Op op) {
        Template template = new Template.Operation(op);
        String parameters = op.parameters().stream()
                .map(each -> ", " + each.name() + "=" + each.shown())
                .collect(Collectors.joining());
        String usage = "_FUNC_(" + String.join(", ", op.arguments()) + parameters + ") - " + op.doc();
        return new Function(name, usage, arguments -> TensorFunction.of(name, template, 0, arguments));
    }

    private static Expression eval(Seq<Expression> arguments) {
        String text = !arguments.isEmpty()
                        && arguments.apply(0) instanceof Literal literal
                        && literal.value() instanceof UTF8String written
                ? written.toString()
                : "";
        return TensorFunction.of(EVAL, new Template.Text(text), 1, arguments);
    }
}
