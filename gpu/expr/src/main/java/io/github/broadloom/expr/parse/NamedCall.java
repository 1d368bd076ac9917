package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One call of a function whose arguments behind the value are read by their names: {@code sum(x, dim=(0, 1), keepdim=True)}. */
abstract class NamedCall {
    /** What other libraries, and other functions of PyTorch, call the arguments. */
    private static final Map<String, String> ALIASES =
            Map.of("axis", "dim", "axes", "dims", "keepdims", "keepdim", "ord", "p", "ddof", "correction");

    private static final Object NONE = new Object();

    final ExprParser parser;
    final TokenCursor tokens;
    final Token function;
    final List<String> names;

    private final String signature;
    private final Expr operand;
    private final Map<String, Object> given = new HashMap<>();

    private int positions;

    /**
     * @param names of the arguments behind the value
     * @param signature what the function takes, for people; there may be several of the last argument where it has a star
     */
    NamedCall(ExprParser parser, Token function, List<String> names, String signature, Expr operand) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.names = names;
        this.signature = signature;
        this.operand = operand;
    }

    final void argument() {
        String keyword = CallValues.keyword(tokens, function, keywords());
        String name = keyword == null ? nameAt(positions++) : ALIASES.getOrDefault(keyword, keyword);
        Object before = given.get(name);
        Object value = tokens.takeNone() ? NONE : value(name);
        boolean goesOn = keyword == null && isVariadic() && name.equals(names.get(names.size() - 1));
        if (before != null && !goesOn) {
            throw error(name + " is given twice");
        }
        given.put(name, before == null ? value : joined(before, value));
    }

    private List<String> keywords() {
        return Stream.concat(
                        names.stream(), ALIASES.keySet().stream().filter(alias -> names.contains(ALIASES.get(alias))))
                .toList();
    }

    private boolean isVariadic() {
        return signature.contains("*");
    }

    /** What the argument at a place behind the value is called. */
    String nameAt(int place) {
        if (place >= names.size() && !isVariadic()) {
            throw surplus(place);
        }
        return names.get(Math.min(place, names.size() - 1));
    }

    final ExprSyntaxException surplus(int place) {
        return error((place + 2) + " arguments given; it takes " + signature);
    }

    final ExprSyntaxException missing(String name) {
        return error(name + " is missing; it takes " + signature);
    }

    abstract Object value(String name);

    /** Two values of one argument, of which there may be several. */
    Object joined(Object before, Object value) {
        throw new IllegalStateException("Cannot call " + function.text() + ": no argument of it may be several");
    }

    final Expr operand() {
        return operand;
    }

    /** What is given by that name, if it is of that type. */
    final <T> @Nullable T get(String name, Class<T> type) {
        Object value = given.get(name);
        return value != NONE && type.isInstance(value) ? type.cast(value) : null;
    }

    final boolean isGiven(String name) {
        return given.containsKey(name);
    }

    final ExprSyntaxException error(String sentence) {
        return tokens.error("Cannot call " + function.text() + ": " + sentence, function);
    }
}
