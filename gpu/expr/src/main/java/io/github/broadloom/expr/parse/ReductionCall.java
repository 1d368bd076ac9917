package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.Map;
import java.util.Optional;

/** Reads the arguments behind the first of {@code sum(x, dim=(0, 1), keepdim=True)} and its like. */
final class ReductionCall {
    private static final Map<String, String> ALIASES =
            Map.of("axis", "dim", "keepdims", "keepdim", "ord", "p", "ddof", "correction");

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final ReductionFunction row;

    ReductionCall(ExprParser parser, Token function, ReductionFunction row) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.row = row;
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
        String name = keyword == null ? positional(position) : ALIASES.getOrDefault(keyword, keyword);
        if (!values.put(name, value(name))) {
            throw tokens.error("Cannot call " + function.text() + ": " + name + " is given twice", function);
        }
        return keyword == null;
    }

    /** {@code var(x, True)}: where only a dimension can be left out, a truth is the argument behind it. */
    private String positional(int position) {
        boolean truth = tokens.peek().isName("True") || tokens.peek().isName("False");
        return position == 0 && truth && row.arguments().contains("unbiased")
                ? "unbiased"
                : row.arguments().get(position);
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
            case "keepdim", "unbiased" -> tokens.flag(name);
            case "dtype" -> tokens.dtype();
            case "interpolation" -> tokens.text(name);
            case "p" -> tokens.peek().kind() == Kind.TEXT ? (Object) tokens.text(name) : (Object) number(name);
            case "q" -> numbers(name);
            default -> number(name);
        };
    }

    private double number(String name) {
        Token token = tokens.peek();
        if (parser.expression() instanceof Literal literal) {
            return literal.doubleValue();
        }
        throw tokens.error("Cannot read " + name + ": '" + token.text() + "'; write a plain number", token);
    }

    /** A plain number, several in brackets, or a tensor of them: a Double, a {@code double[]}, or an expression. */
    private Object numbers(String name) {
        Token token = tokens.peek();
        if (token.is("[") || token.is("(") && tokens.isTuple()) {
            return tokens.oneOrSeveral(() -> number(name)).stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }
        Expr numbers = parser.expression();
        return numbers instanceof Literal literal ? (Object) literal.doubleValue() : numbers;
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
