package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import io.github.broadloom.tensor.Device;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A conversion in PyTorch's forms: {@code x.to(float32)}, {@code x.to('cpu', float32)}, {@code x.to(other)}, each with {@code
 * non_blocking} and {@code copy} behind, or by keywords; {@code cast(x, float32)} and its like take a dtype alone. An expression is
 * computed where its caller says, so that the device can only be the one where its operand is.
 */
final class ConversionCall {
    /** The functions of this form. */
    static final List<String> NAMES = List.of("to", "cast", "type", "astype");

    private static final List<String> DTYPE_ALONE = List.of("dtype");
    private static final List<String> BY_DEVICE = List.of("device", "dtype", "non_blocking", "copy");
    private static final List<String> BY_DTYPE = List.of("dtype", "non_blocking", "copy");
    private static final List<String> BY_OTHER = List.of("other", "non_blocking", "copy");

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final Map<String, Object> given = new HashMap<>();
    private List<String> form = List.of();
    private int positions;

    ConversionCall(ExprParser parser, Token function) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
    }

    /** Reads one argument behind the value. */
    void argument() {
        String keyword = CallValues.keyword(tokens, function, isTo() ? BY_DEVICE : DTYPE_ALONE);
        if (keyword == null && positions == 0) {
            form = formOf(tokens.peek());
        }
        if (keyword == null && positions == form.size()) {
            throw error((positions + 2) + " arguments given; it takes " + wanted());
        }
        String name = keyword == null ? form.get(positions++) : keyword;
        if (given.put(name, value(name)) != null) {
            throw error(name + " is given twice");
        }
    }

    private boolean isTo() {
        return function.isName("to");
    }

    /** What the arguments by position are: the first one says it. */
    private List<String> formOf(Token first) {
        if (!isTo()) {
            return DTYPE_ALONE;
        }
        if (first.kind() == Kind.TEXT || first.kind() == Kind.NUMBER || first.isName("None")) {
            return BY_DEVICE;
        }
        Token second = tokens.peekSecond();
        boolean alone = first.kind() == Kind.NAME && (second.is(",") || second.is(")"));
        return alone && !parser.knows(first.text()) ? BY_DTYPE : BY_OTHER;
    }

    private Object value(String name) {
        if (tokens.peek().isName("None")) {
            tokens.take();
            return Optional.empty();
        }
        return switch (name) {
            case "dtype" -> tokens.dtype();
            case "device" ->
                tokens.peek().kind() == Kind.TEXT ? tokens.text(name) : parser.integer("the ordinal of a device");
            case "other" -> parser.expression();
            default -> tokens.flag(name);
        };
    }

    /** The converted value. */
    Expr build(Expr operand) {
        if (!isTo() && !(given.get("dtype") instanceof DType)) {
            throw error("1 argument given; it takes " + wanted());
        }
        if (given.get("other") instanceof Expr other) {
            return Expr.cast(operand, other.dtype());
        }
        if (given.get("device") instanceof String text) {
            checkPlace(operand, Device.of(text));
        } else if (given.get("device") instanceof Long ordinal) {
            checkPlace(operand, Device.of(Math.toIntExact(ordinal)));
        }
        return given.get("dtype") instanceof DType dtype ? Expr.cast(operand, dtype) : operand;
    }

    private void checkPlace(Expr operand, Device wanted) {
        Device own = operand.device();
        boolean there = wanted.isCpu() ? own.isCpu() : wanted.hasIndex() ? wanted.equals(own) : !own.isCpu();
        if (!there) {
            throw error("an expression does not move its values from " + own + " to " + wanted
                    + "; say where it is computed: eval(Device), --device, or spark.broadloom.device");
        }
    }

    private String wanted() {
        return isTo()
                ? "a dtype, a device and a dtype, or another tensor, then non_blocking and copy"
                : "a value and a dtype";
    }

    private ExprSyntaxException error(String sentence) {
        return tokens.error("Cannot call " + function.text() + ": " + sentence, function);
    }
}
