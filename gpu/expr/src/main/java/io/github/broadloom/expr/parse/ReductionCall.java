package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One call of a function that takes dimensions. What is not given has its default. */
final class ReductionCall extends NamedCall {
    ReductionCall(ExprParser parser, Token function, FunctionTable.Row<?> row, Expr operand) {
        super(parser, function, row.behindFirst(), row.signature(), operand);
    }

    /** {@code var(x, True)}: where only a dimension can be left out, a truth is the argument behind it. */
    @Override
    String nameAt(int place) {
        boolean truth = tokens.peek().isName("True") || tokens.peek().isName("False");
        return place == 0 && truth && names.contains("unbiased") ? "unbiased" : super.nameAt(place);
    }

    @Override
    Object value(String name) {
        return switch (name) {
            case "dim" ->
                tokens.oneOrSeveral(this::dimension).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
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

    /** The operand in the dtype that is given, if one is. */
    Expr converted() {
        DType dtype = dtype();
        return dtype == null ? operand() : Expr.cast(operand(), dtype);
    }

    /** The dimensions; empty means all. */
    int[] dims() {
        int[] dims = get("dim", int[].class);
        return dims == null ? new int[0] : dims;
    }

    OptionalInt optionalDim() {
        return dims().length == 0 ? OptionalInt.empty() : OptionalInt.of(dim());
    }

    int dim() {
        if (dims().length != 1) {
            throw error(dims().length + " dimensions given; it goes along one, such as dim=0");
        }
        return dims()[0];
    }

    KeepDim keepDim() {
        return KeepDim.of(flag("keepdim", false));
    }

    boolean flag(String name, boolean otherwise) {
        Boolean value = get(name, Boolean.class);
        return value == null ? otherwise : value;
    }

    double real(String name, double otherwise) {
        Double value = get(name, Double.class);
        return value == null ? otherwise : value;
    }

    Object required(String name) {
        Object value = get(name, Object.class);
        if (value == null) {
            throw error(name + " is missing; give a plain number");
        }
        return value;
    }

    /** Refuses two arguments of which one says all. */
    void checkOne(String name, String other) {
        if (isGiven(name) && isGiven(other)) {
            throw error(name + " and " + other + " are both given; give one of them");
        }
    }

    boolean hasText(String name) {
        return get(name, String.class) != null;
    }

    String text(String name, String otherwise) {
        String value = get(name, String.class);
        return value == null ? otherwise : value;
    }

    @Nullable DType dtype() {
        return get("dtype", DType.class);
    }
}
