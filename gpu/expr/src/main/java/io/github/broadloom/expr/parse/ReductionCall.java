package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of a function that takes dimensions. What is not given has its default. */
final class ReductionCall extends NamedCall {
    /** What gives values and indices along a dimension. */
    private static final Set<String> BOTH = Set.of("topk", "sort", "kthvalue", "median", "nanmedian");

    /** As an index of a tuple of both. */
    private long part;

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
            case "keepdim", "unbiased", "largest", "sorted", "descending", "stable" -> tokens.flag(name);
            case "k" -> parser.integer("k of " + function.text());
            case "dtype" -> tokens.dtype();
            case "interpolation" -> tokens.text(name);
            case "p" -> tokens.peek().kind() == Kind.TEXT ? (Object) tokens.text(name) : (Object) number(name);
            case "q" -> numbers(name);
            default -> number(name);
        };
    }

    /**
     * Behind the call: {@code .values} and {@code .indices} of what gives both, or, as Python's tuples have them, {@code [0]} and {@code [1]}. The values, where nothing
     * says which.
     */
    void readPart() {
        boolean both = BOTH.contains(function.text()) && (names.contains("k") || isSort() || dims().length > 0);
        if (!both) {
            return;
        }
        Token named = tokens.peekSecond();
        if (tokens.peek().is(".") && (named.isName("values") || named.isName("indices"))) {
            tokens.take();
            part = tokens.take().isName("indices") ? 1 : 0;
        } else if (tokens.peek().is("[")) {
            part = index(tokens.take());
        }
    }

    private long index(Token open) {
        Token first = tokens.peek();
        if (first.kind() == Kind.NUMBER || first.is("-")) {
            long index = parser.integer("which of both");
            if (tokens.peek().is("]")) {
                tokens.take();
                return index;
            }
        }
        throw tokens.error(
                "Cannot index " + function.text()
                        + "(…): it gives values and indices; write .values or .indices in front of the bracket",
                open);
    }

    private boolean isSort() {
        return function.isName("sort");
    }

    /** The values, or the indices where the text says so. */
    Expr part(ValuesAndIndices<Expr> both) {
        if (part < -2 || part > 1) {
            throw new IndexOutOfBoundsException("tuple index out of range"); // Python's words
        }
        return (part & 1) == 1 ? both.indices() : both.values();
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

    /** The last where none is given. */
    int lastDim() {
        return isGiven("dim") ? dim() : -1;
    }

    long integer(String name) {
        Long value = get(name, Long.class);
        if (value == null) {
            throw missing(name);
        }
        return value;
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
