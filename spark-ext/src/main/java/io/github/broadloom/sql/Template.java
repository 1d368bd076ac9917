package io.github.broadloom.sql;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ExprNames;
import io.github.broadloom.expr.ExprParser;
import io.github.broadloom.expr.Op;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a function of SQL makes of its arguments. */
public sealed interface Template extends Serializable {
    /** The names of the arguments, by which errors speak of them. */
    List<String> arguments();

    /** How many of the arguments must be given. */
    int required();

    /**
     * The expression over arguments.
     *
     * @throws IllegalArgumentException with PyTorch's text, where they do not go together
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    Expr over(List<Expr> arguments);

    /** A row of the table of operations. */
    record Operation(Op op) implements Template {
        private static final long serialVersionUID = 1;

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
        public Expr over(List<Expr> arguments) {
            return Expr.apply(op, arguments.toArray(Expr[]::new));
        }
    }

    /** A string expression; the arguments stand for its names in the order in which they first appear. */
    record Text(String text) implements Template {
        private static final long serialVersionUID = 1;

        @Override
        public List<String> arguments() {
            return ExprNames.of(text);
        }

        @Override
        public int required() {
            return arguments().size();
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
}
