package io.github.broadloom.sql;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.parse.ExprNames;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a function of SQL makes of its arguments. */
public sealed interface Template extends Serializable {
    /** The names of the arguments; the last one is that of all that follow. */
    List<String> arguments();

    /** The name of an argument, by which errors speak of it. */
    default String argument(int index) {
        List<String> names = arguments();
        return names.isEmpty() ? "the argument" : names.get(Math.min(index, names.size() - 1));
    }

    default int required() {
        return arguments().size();
    }

    default int most() {
        return arguments().size();
    }

    default boolean isNumber(int argument) {
        return false;
    }

    /**
     * The expression over arguments.
     *
     * @throws IllegalArgumentException with PyTorch's text, where they do not go together
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    Expr over(List<Expr> arguments);

    /** A row of the table of operations. */
    record Operation(Op op) implements Template {
        @Override
        public List<String> arguments() {
            List<String> names = new ArrayList<>(op.arguments());
            op.parameters().forEach(parameter -> names.add(parameter.name()));
            return names;
        }

        @Override
        public int required() {
            return op.arity();
        }

        @Override
        public boolean isNumber(int argument) {
            return argument >= op.arity();
        }

        @Override
        public Expr over(List<Expr> arguments) {
            return Expr.apply(op, arguments.toArray(Expr[]::new));
        }
    }

    /** A string expression; the arguments stand for its names in the order in which they first appear. */
    record Text(String text) implements Template {
        @Override
        public List<String> arguments() {
            return ExprNames.of(text);
        }

        @Override
        public Expr over(List<Expr> arguments) {
            Map<String, Expr> names = new HashMap<>();
            List<String> order = arguments();
            for (int i = 0; i < order.size(); i++) {
                names.put(order.get(i), arguments.get(i));
            }
            return ExprParser.parse(text, names);
        }
    }

    /** A function of that language, called by a name of its own: an error does not show the text, which the user did not write. */
    record Call(String text) implements Template {
        @Override
        public List<String> arguments() {
            return ExprNames.of(text);
        }

        @Override
        public Expr over(List<Expr> arguments) {
            try {
                return new Text(text).over(arguments);
            } catch (ExprSyntaxException e) {
                throw new IllegalArgumentException(e.sentence().replaceFirst("^Cannot call \\w+: ", ""), e.getCause());
            }
        }
    }

    record Slice(String items) implements Template {
        @Override
        public List<String> arguments() {
            return List.of("input");
        }

        @Override
        public Expr over(List<Expr> arguments) {
            return ExprParser.subscript(arguments.get(0), items);
        }
    }

    /** A call that means nothing, for a reason that shows when it is written. */
    record Refused(String why) implements Template {
        @Override
        public List<String> arguments() {
            return List.of("input");
        }

        @Override
        public int required() {
            return 0;
        }

        @Override
        public int most() {
            return Integer.MAX_VALUE;
        }

        @Override
        public Expr over(List<Expr> arguments) {
            throw new IllegalArgumentException(why);
        }
    }
}
