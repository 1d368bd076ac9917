package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.IndexPut;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Names;
import io.github.broadloom.expr.Subscript;
import io.github.broadloom.expr.Unsized;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import io.github.broadloom.tensor.Tensor;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads string expressions such as {@code where(x > m, (x - m) / s, 0.1 * x)} with Python's operators and precedence.
 *
 * <p>From the tightest: calls, methods and NumPy's slices ({@code x[1:3, None, ..., 0]}); {@code **}, from the right, above a minus on its left; unary {@code + - ~};
 * {@code * / // % @}; {@code + -}; {@code << >>}; {@code &}; {@code ^}; {@code |}; comparisons, which do not chain.
 * Numbers are Python's, and so is their arithmetic among themselves; names are those that the caller gives, then {@code
 * pi}, {@code e}, {@code inf}, {@code nan}, {@code True} and {@code False}. Functions are the operations of {@link Ops}
 * by PyTorch's and NumPy's names, the reductions ({@code sum(x, dim=(0, 1), keepdim=True)}), the rearrangements ({@code
 * permute(x, 1, 0)}, {@code cat((x, y), 0)}), and the dtypes ({@code float32(x)}); each is a method too ({@code
 * x.sum(0)}).
 *
 * <p>Text longer than {@value #MAX_LENGTH} characters, or nested deeper than {@value #MAX_DEPTH}, is refused, so that no
 * text can overflow the stack of a thread, were it 512 KiB.
 */
public final class ExprParser {
    static final int MAX_LENGTH = 10_000;
    public static final int MAX_DEPTH = 100;

    private static final Pattern SUBSCRIPT = Pattern.compile("(?:None|[-0-9:,.\\s])++");

    private final TokenCursor tokens;
    private final Map<String, Expr> names;
    /** Computes at once what decides a shape; null where nothing can. */
    private final @Nullable Function<Expr, Tensor> values;

    private final boolean isUnsized;
    private int depth;

    private ExprParser(String text, Map<String, Expr> names, @Nullable Function<Expr, Tensor> values) {
        this.names = names;
        this.values = values;
        this.isUnsized = names.values().stream().anyMatch(Unsized::is);
        if (text.length() > MAX_LENGTH) {
            throw new ExprSyntaxException(
                    "Cannot parse an expression of " + text.length() + " characters; use at most " + MAX_LENGTH,
                    "…",
                    0);
        }
        this.tokens = new TokenCursor(text);
    }

    /**
     * The expression that the text says.
     *
     * @param names what the names stand for; they count before the constants; where sizes of some are not known ({@link Unsized}), the expression tells the dtype
     *     and the number of dimensions alone
     * @throws ExprSyntaxException where the text cannot be read, and where building the expression fails: then with
     *     PyTorch's sentence and the caret at the operator or function
     */
    public static Expr parse(String text, Map<String, Expr> names) {
        return parse(text, names, null);
    }

    /**
     * The expression that the text says, where a mask that it computes, as in {@code x[x > 0]}, is computed at once: how many of its elements are true decides the shape.
     *
     * @param values the elements of an expression, on the CPU
     * @throws ExprSyntaxException as {@link #parse(String, Map)}
     */
    public static Expr parse(String text, Map<String, Expr> names, @Nullable Function<Expr, Tensor> values) {
        ExprParser parser = new ExprParser(text, names, values);
        if (parser.tokens.peek().kind() == Kind.END) {
            throw parser.tokens.error(
                    "Cannot parse an empty expression; write one such as (x - m) / s", parser.tokens.peek());
        }
        Expr expr = parser.expression();
        if (parser.tokens.peek().kind() != Kind.END) {
            throw parser.tokens.unexpected(parser.tokens.peek());
        }
        return expr;
    }

    /**
     * The elements that the text of a subscript such as {@code "1:3, None, ..., 0"} takes.
     *
     * @throws IllegalArgumentException where it is no such text, or takes what is not there, with a caret under the place
     */
    public static Expr subscript(Expr x, String items) {
        if (items.length() <= MAX_LENGTH && !SUBSCRIPT.matcher(items).matches()) { // the parser refuses longer ones
            throw new IllegalArgumentException(
                    "Cannot read the slice '" + items + "'; write one such as '1:3, None, ..., 0'");
        }
        return parse("x[" + items + "]", Map.of("x", x));
    }

    /** What {@code builder} makes, its error with the caret under this token; over tensors whose sizes are not known, one without known sizes. */
    Expr build(Token token, Supplier<Expr> builder) {
        Expr built = tokens.build(token, builder);
        return isUnsized ? Unsized.like(built) : built;
    }

    TokenCursor tokens() {
        return tokens;
    }

    @Nullable Function<Expr, Tensor> values() {
        return values;
    }

    Expr expression() {
        return binary(ExprSyntax.COMPARISON);
    }

    /** Operators of at least this precedence, from the left. */
    private Expr binary(int precedence) {
        Expr left = unary();
        while (true) {
            Token token = tokens.peek();
            ExprSyntax.Operator operator = operator(token);
            if (operator == null || operator.precedence() < precedence) {
                return left;
            }
            tokens.take();
            Expr before = left;
            Expr right = binary(operator.precedence() + 1);
            left = build(token, () -> operator.builder().apply(before, right));
            if (operator.precedence() == ExprSyntax.COMPARISON) {
                refuseChain(token);
            }
        }
    }

    private static ExprSyntax.@Nullable Operator operator(Token token) {
        return token.kind() == Kind.OPERATOR ? ExprSyntax.BINARY.get(token.text()) : null;
    }

    private void refuseChain(Token first) {
        Token second = tokens.peek();
        ExprSyntax.Operator operator = operator(second);
        if (operator != null && operator.precedence() == ExprSyntax.COMPARISON) {
            throw tokens.error(
                    "Cannot chain comparisons: a " + first.text() + " b " + second.text() + " c; write (a "
                            + first.text() + " b) & (b " + second.text() + " c)",
                    second);
        }
    }

    private Expr unary() {
        Token token = tokens.peek();
        if (!token.is("-") && !token.is("+") && !token.is("~")) {
            return power();
        }
        tokens.take();
        if (token.is("-") && isSmallest(tokens.peek(), tokens.peekSecond())) {
            tokens.take();
            return Literal.of(Long.MIN_VALUE);
        }
        enter(token);
        Expr operand = unary();
        depth--;
        if (token.is("+")) {
            return build(token, () -> Compositions.positive(operand));
        }
        return build(token, () -> Expr.apply(token.is("-") ? Ops.NEG : Ops.BITWISE_NOT, operand));
    }

    /** Whether a number that passes 64 bits fits them with a minus before it, which nothing behind it takes first. */
    private static boolean isSmallest(Token number, Token behind) {
        boolean tighter = behind.is("**") || behind.is(".") || behind.is("[");
        return number.value() instanceof BigInteger big && big.negate().bitLength() < Long.SIZE && !tighter;
    }

    private Expr number(Token token, Number value) {
        if (value instanceof BigInteger) {
            throw tokens.error(
                    "Cannot read the number '" + token.text()
                            + "': it passes 64 bits; write it as a float, such as 1e20",
                    token);
        }
        return Expr.literal(value);
    }

    private Expr power() {
        Expr base = postfix();
        Token token = tokens.peek();
        if (!token.is("**")) {
            return base;
        }
        tokens.take();
        enter(token);
        Expr exponent = unary(); // from the right, and 2 ** -1 needs no parentheses
        depth--;
        return build(token, () -> Expr.apply(Ops.POW, BroadcastWarning.checked(base, exponent)));
    }

    private Expr postfix() {
        Expr value = primary();
        while (tokens.peek().is(".") || tokens.peek().is("[")) {
            Token sign = tokens.take();
            if (sign.is("[")) {
                value = subscript(sign, value);
                continue;
            }
            Token method = tokens.take();
            if (method.isName("T") && !tokens.peek().is("(")) {
                value = build(method, transposed(value));
                continue;
            }
            if (method.isName("at") && tokens.peek().is("[")) {
                value = written(value);
                continue;
            }
            if (method.kind() != Kind.NAME || !tokens.peek().is("(")) {
                throw tokens.error(
                        "Cannot read what stands behind the point; write a method with parentheses, such as"
                                + " x.sum(0)",
                        method);
            }
            value = call(method, value);
        }
        return value;
    }

    private static Supplier<Expr> transposed(Expr value) {
        int rank = value.shape().rank();
        return () -> ViewOps.permute(
                value, IntStream.range(0, rank).map(dim -> rank - 1 - dim).toArray());
    }

    private Expr subscript(Token open, Expr value) {
        enter(open);
        List<Subscript.Item> items = new SubscriptReader(this, open).items();
        depth--;
        Function<Expr, Tensor> now = values;
        return build(open, () -> now == null ? Subscript.of(value, items) : Subscript.of(value, items, now));
    }

    /** {@code x.at[…].set(value)}, as JAX writes {@code x[…] = value} where nothing is written over: behind {@code at}. */
    private Expr written(Expr value) {
        Token open = tokens.take();
        enter(open);
        List<Subscript.Item> items = new SubscriptReader(this, open).items();
        depth--;
        Token point = tokens.take();
        Token method = tokens.take();
        if (!point.is(".")
                || !(method.isName("set") || method.isName("add"))
                || !tokens.peek().is("(")) {
            throw tokens.error(
                    "Cannot read what stands behind x.at[…]; write x.at[…].set(value) or x.at[…].add(value)",
                    point.is(".") ? method : point);
        }
        Token parenthesis = tokens.take();
        enter(parenthesis);
        Expr written = expression();
        depth--;
        tokens.close(parenthesis, ")");
        return build(
                method,
                () -> method.isName("set")
                        ? IndexPut.set(value, items, written, values)
                        : IndexPut.add(value, items, written, values));
    }

    /** A plain integer, which may be computed of others. */
    Long integer(String what) {
        Token token = tokens.peek();
        if (expression() instanceof Literal literal && literal.value() instanceof Long value) {
            return value;
        }
        throw tokens.error("Cannot read " + what + ": '" + token.text() + "'; write one such as 0 or -1", token);
    }

    private Expr primary() {
        Token token = tokens.take();
        if (token.kind() == Kind.NUMBER && token.value() != null) {
            return number(token, token.value());
        }
        if (token.is("(")) {
            enter(token);
            Expr inside = expression();
            depth--;
            tokens.close(token, ")");
            return inside;
        }
        if (token.kind() == Kind.NAME && !ExprSyntax.REMEDIES.containsKey(token.text())) {
            return tokens.peek().is("(") ? call(token, null) : named(token);
        }
        throw token.kind() == Kind.END
                ? tokens.error(
                        "Cannot parse the expression: it ends where a value was expected; add a name or a number",
                        token)
                : tokens.unexpected(token);
    }

    boolean knows(String name) {
        return names.containsKey(name);
    }

    private Expr named(Token token) {
        Expr known = names.get(token.text());
        if (known != null) {
            return known;
        }
        Object constant = ExprSyntax.CONSTANTS.get(token.text());
        if (constant != null) {
            return Expr.literal(constant);
        }
        if (ExprFunctions.isKnown(token.text())) {
            throw tokens.error(
                    "Cannot use the function '" + token.text() + "' as a value; write " + token.text() + "(…)", token);
        }
        TreeSet<String> all = new TreeSet<>(names.keySet());
        String listed = all.isEmpty() ? "none was given" : "the names are " + String.join(", ", all);
        String guess =
                Names.meant(token.text(), all).map(question -> question + " ").orElse("");
        throw tokens.error("Cannot find name '" + token.text() + "'; " + guess + listed, token);
    }

    private Expr call(Token function, @Nullable Expr receiver) {
        Token open = tokens.take();
        enter(open);
        Expr result = new ExprFunctions(this, function, receiver).call();
        depth--;
        return result;
    }

    private void enter(Token token) {
        if (++depth > MAX_DEPTH) {
            throw tokens.error(
                    "Cannot parse an expression nested deeper than " + MAX_DEPTH + "; split it in two", token);
        }
    }
}
