package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Names;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arguments of one call in a string expression, each at the place that its position or its keyword says. */
final class CallValues {
    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final List<String> names;
    private final @Nullable Value[] values;

    /** An expression, or a text; None is neither. */
    private record Value(@Nullable Expr expr, @Nullable String text) {}

    private CallValues(ExprParser parser, Token function, List<String> names) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.names = names;
        this.values = new Value[names.size()];
    }

    /**
     * Reads the arguments and the closing parenthesis.
     *
     * @param open the opening parenthesis, which is read already
     * @param receiver the first argument, where the function is called as a method
     * @param names of all arguments
     * @param required how many of them must be there, and not be None
     */
    static CallValues read(
            ExprParser parser, Token function, Token open, @Nullable Expr receiver, List<String> names, int required) {
        CallValues call = new CallValues(parser, function, names);
        call.fill(open, receiver);
        for (int i = 0; i < required; i++) {
            if (call.orNull(i) == null) {
                throw call.given() < required
                        ? call.wrongCount(call.given(), required)
                        : call.wrong(i, "missing", "give a tensor or a number");
            }
        }
        return call;
    }

    private void fill(Token open, @Nullable Expr receiver) {
        int[] position = {0};
        if (receiver != null) {
            values[position[0]++] = new Value(receiver, null);
        }
        int[] surplus = {0};
        tokens.arguments(
                () -> {
                    String keyword = keyword(tokens, function, names);
                    int at = keyword != null ? names.indexOf(keyword) : position[0]++;
                    Value value = value();
                    if (at >= values.length || values[at] != null) {
                        surplus[0]++;
                    } else {
                        values[at] = value;
                    }
                    return at;
                },
                open,
                ")");
        if (surplus[0] > 0) {
            throw wrongCount(given() + surplus[0], names.size());
        }
    }

    private Value value() {
        if (tokens.takeNone()) {
            return new Value(null, null);
        }
        return tokens.peek().kind() == Kind.TEXT
                ? new Value(null, tokens.take().unquoted())
                : new Value(parser.expression(), null);
    }

    /** The keyword in front of the next argument, with its equals sign, if there is one. */
    static @Nullable String keyword(TokenCursor tokens, Token function, List<String> known) {
        Token name = tokens.peek();
        if (name.kind() != Kind.NAME || !tokens.peekSecond().is("=")) {
            return null;
        }
        if (!known.contains(name.text())) {
            throw tokens.error(
                    "Cannot use the argument '" + name.text() + "' of " + function.text() + "; "
                            + Names.meant(name.text(), new TreeSet<>(known))
                                    .orElse("its arguments are " + String.join(", ", known)),
                    name);
        }
        tokens.take();
        tokens.take();
        return name.text();
    }

    /** The elements of an expression, on the CPU; null where nothing is computed. */
    @Nullable Function<Expr, Tensor> values() {
        return parser.values();
    }

    private int given() {
        return (int) Arrays.stream(values).filter(value -> value != null).count();
    }

    private ExprSyntaxException wrongCount(int given, int required) {
        String wanted = required == names.size() ? String.valueOf(required) : required + " to " + names.size();
        return tokens.error(
                "Cannot call " + function.text() + ": " + given + (given == 1 ? " argument" : " arguments")
                        + " given; it takes " + wanted,
                function);
    }

    /** Whether the argument was given, and not as None. */
    boolean has(int index) {
        Value value = values[index];
        return value != null && (value.expr() != null || value.text() != null);
    }

    Expr expr(int index) {
        Expr expr = orNull(index);
        if (expr == null) {
            throw new IllegalStateException("Cannot read argument " + index + " of " + function.text());
        }
        return expr;
    }

    /** The expression at this place, or null where there is None or nothing. */
    @Nullable Expr orNull(int index) {
        Value value = values[index];
        if (value != null && value.text() != null) {
            throw wrong(index, "text", "give a tensor or a number");
        }
        return value == null ? null : value.expr();
    }

    /** The text at this place, or null where there is None or nothing. */
    @Nullable String text(int index) {
        Value value = values[index];
        if (value != null && value.expr() != null) {
            throw wrong(index, "no text", "write it in quotes");
        }
        return value == null ? null : value.text();
    }

    String text(int index, String otherwise) {
        String text = text(index);
        return text == null ? otherwise : text;
    }

    Literal number(int index, long otherwise) {
        Expr expr = orNull(index);
        if (expr == null) {
            return Literal.of(otherwise);
        }
        if (expr instanceof Literal literal) {
            return literal;
        }
        throw wrong(index, "a tensor", "give a plain number");
    }

    /** The plain integer at this place, or null where there is None or nothing. */
    @Nullable Long integer(int index) {
        if (!has(index)) {
            return null;
        }
        if (number(index, 0).value() instanceof Long value) {
            return value;
        }
        throw wrong(index, "no integer", "write one such as 2");
    }

    double real(int index, double otherwise) {
        return has(index) ? number(index, 0).doubleValue() : otherwise;
    }

    boolean flag(int index) {
        return has(index) && number(index, 0).doubleValue() != 0;
    }

    /** The arguments and the parameters of an operation; what is left out has its default. */
    List<Expr> of(Op op) {
        List<Expr> all = new ArrayList<>();
        for (int i = 0; i < op.arity(); i++) {
            all.add(expr(i));
        }
        List<Expr> operands = List.copyOf(all);
        for (int i = op.arity(); i < values.length; i++) {
            Expr given = orNull(i);
            all.add(given != null ? given : op.defaultOf(i - op.arity(), operands));
        }
        return all;
    }

    private ExprSyntaxException wrong(int index, String what, String remedy) {
        return tokens.error(
                "Cannot call " + function.text() + ": " + names.get(index) + " is " + what + "; " + remedy, function);
    }
}
