package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import io.github.broadloom.tensor.Device;
import java.util.List;

/**
 * A conversion in PyTorch's forms: {@code x.to(float32)}, {@code x.to('cpu', float32)}, {@code x.to(other)}, each with {@code
 * non_blocking} and {@code copy} behind, or by keywords; {@code cast(x, float32)} and its like take a dtype alone. An expression is
 * computed where its caller says, so that the device can only be the one where its operand is.
 */
final class ConversionCall extends NamedCall {
    static final List<String> NAMES = List.of("to", "cast", "type", "astype");

    private static final List<String> DTYPE_ALONE = List.of("dtype");
    private static final List<String> BY_DEVICE = List.of("device", "dtype", "non_blocking", "copy");
    private static final List<String> BY_DTYPE = List.of("dtype", "non_blocking", "copy");
    private static final List<String> BY_OTHER = List.of("other", "non_blocking", "copy");

    private final boolean isTo;
    private List<String> form = List.of();

    ConversionCall(ExprParser parser, Token function, Expr operand) {
        this(parser, function, operand, function.isName("to"));
    }

    private ConversionCall(ExprParser parser, Token function, Expr operand, boolean isTo) {
        super(
                parser,
                function,
                isTo ? BY_DEVICE : DTYPE_ALONE,
                isTo
                        ? "a dtype, a device and a dtype, or another tensor, then non_blocking and copy"
                        : "a value and a dtype",
                operand);
        this.isTo = isTo;
    }

    @Override
    String nameAt(int place) {
        if (place == 0) {
            form = formOf(tokens.peek());
        }
        if (place >= form.size()) {
            throw surplus(place);
        }
        return form.get(place);
    }

    /** What the arguments by position are: the first one says it. */
    private List<String> formOf(Token first) {
        if (!isTo) {
            return DTYPE_ALONE;
        }
        if (first.kind() == Kind.TEXT || first.kind() == Kind.NUMBER || first.isName("None")) {
            return BY_DEVICE;
        }
        Token second = tokens.peekSecond();
        boolean alone = first.kind() == Kind.NAME && (second.is(",") || second.is(")"));
        return alone && !parser.knows(first.text()) ? BY_DTYPE : BY_OTHER;
    }

    @Override
    Object value(String name) {
        return switch (name) {
            case "dtype" -> tokens.dtype();
            case "device" ->
                tokens.peek().kind() == Kind.TEXT ? tokens.text(name) : parser.integer("the ordinal of a device");
            case "other" -> parser.expression();
            default -> tokens.flag(name);
        };
    }

    Expr build() {
        DType dtype = get("dtype", DType.class);
        Expr other = get("other", Expr.class);
        Object device = get("device", Object.class);
        if (!isTo && dtype == null) {
            throw error("1 argument given; it takes a value and a dtype");
        }
        if (other != null) {
            return Expr.cast(operand(), other.dtype());
        }
        if (device instanceof String text) {
            checkPlace(Device.of(text));
        } else if (device instanceof Long ordinal) {
            checkPlace(Device.of(Math.toIntExact(ordinal)));
        }
        return dtype == null ? operand() : Expr.cast(operand(), dtype);
    }

    private void checkPlace(Device wanted) {
        Device own = operand().device();
        boolean there = wanted.isCpu() ? own.isCpu() : wanted.hasIndex() ? wanted.equals(own) : !own.isCpu();
        if (!there) {
            throw error("an expression does not move its values from " + own + " to " + wanted
                    + "; say where it is computed: compute(Device), --device, or spark.broadloom.device");
        }
    }
}
