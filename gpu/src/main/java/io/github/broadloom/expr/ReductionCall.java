package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ExprLexer.Kind;
import io.github.broadloom.expr.ExprLexer.Token;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the arguments behind the first of {@code sum(x, dim=(0, 1), keepdim=True)} and its like. */
final class ReductionCall {
    private static final Map<String, String> ALIASES =
            Map.of("axis", "dim", "keepdims", "keepdim", "ord", "p", "ddof", "correction");

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final ReductionFunction row;
    private final Function<String, Optional<DType>> dtypes;

    /** @param dtypes finds a dtype by its name */
    ReductionCall(ExprParser parser, Token function, ReductionFunction row, Function<String, Optional<DType>> dtypes) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.row = row;
        this.dtypes = dtypes;
    }

    /** The values, to be filled by {@link #argument}. */
    ReductionValues values(Expr operand) {
        return new ReductionValues(
                operand, sentence -> tokens.error("Cannot call " + function.text() + ": " + sentence, function));
    }

    /**
     * Reads one argument.
     *
     * @param position how many came by position before
     * @return whether it came by position
     */
    boolean argument(ReductionValues values, int position) {
        String keyword = CallValues.keyword(tokens, function, CallValues.keywords(row.arguments(), ALIASES));
        if (keyword == null && position == row.arguments().size()) {
            throw surplus(position + 2);
        }
        String name = keyword == null ? row.arguments().get(position) : ALIASES.getOrDefault(keyword, keyword);
        if (!values.put(name, value(name))) {
            throw tokens.error("Cannot call " + function.text() + ": " + name + " is given twice", function);
        }
        return keyword == null;
    }

    private ExprSyntaxException surplus(int given) {
        return tokens.error(
                "Cannot call " + function.text() + ": " + given + " arguments given; it takes " + row.signature(),
                function);
    }

    /** The reader of each argument; None stands for what is not given. */
    private Object value(String name) {
        if (tokens.peek().isName("None")) {
            tokens.take();
            return Optional.empty();
        }
        return switch (name) {
            case "dim" -> dimensions();
            case "keepdim", "unbiased" -> flag(name);
            case "dtype" -> dtype();
            case "interpolation" -> text(name);
            default -> number(name);
        };
    }

    private boolean flag(String name) {
        Token token = tokens.take();
        if (!token.isName("True") && !token.isName("False")) {
            throw tokens.error("Cannot read " + name + ": '" + token.text() + "'; write True or False", token);
        }
        return token.isName("True");
    }

    private DType dtype() {
        Token token = tokens.take();
        return dtypes.apply(token.text())
                .orElseThrow(() ->
                        tokens.error("Cannot find dtype '" + token.text() + "'; write one such as float32", token));
    }

    private String text(String name) {
        Token token = tokens.take();
        if (token.kind() != Kind.TEXT) {
            throw tokens.error("Cannot read " + name + ": '" + token.text() + "'; write it in quotes", token);
        }
        return token.text().substring(1, token.text().length() - 1);
    }

    private double number(String name) {
        Token token = tokens.peek();
        if (parser.expression() instanceof Literal literal) {
            return literal.doubleValue();
        }
        throw tokens.error("Cannot read " + name + ": '" + token.text() + "'; write a plain number", token);
    }

    private int[] dimensions() {
        return tokens.oneOrSeveral(this::dimension).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private Integer dimension() {
        boolean negative = tokens.peek().is("-");
        Token token = negative ? tokens.peekSecond() : tokens.peek();
        if (!(token.value() instanceof Long value) || value > Integer.MAX_VALUE) {
            throw tokens.error(
                    "Cannot read a dimension: '" + token.text() + "'; write an integer such as 0 or -1", token);
        }
        if (negative) {
            tokens.take();
        }
        tokens.take();
        return negative ? -value.intValue() : value.intValue();
    }
}
