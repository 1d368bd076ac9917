package io.github.broadloom.expr;

import io.github.broadloom.expr.ExprLexer.Kind;
import io.github.broadloom.expr.ExprLexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
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
 * text can overflow the stack.
 */
public final class ExprParser {
    static final int MAX_LENGTH = 10_000;
    static final int MAX_DEPTH = 200;

    private final String text;
    private final Map<String, Expr> names;
    private final List<Token> tokens;
    private int next;
    private int depth;

    private ExprParser(String text, Map<String, Expr> names) {
        this.text = text;
        this.names = names;
        if (text.length() > MAX_LENGTH) {
            throw new ExprSyntaxException(
                    "Cannot parse an expression of " + text.length() + " characters; use at most " + MAX_LENGTH,
                    "…",
                    0);
        }
        this.tokens = ExprLexer.tokens(text);
    }

    /**
     * The expression that the text says.
     *
     * @param names what the names stand for; they count before the constants
     * @throws ExprSyntaxException where the text cannot be read, and where building the expression fails: then with
     *     PyTorch's sentence and the caret at the operator or function
     */
    public static Expr parse(String text, Map<String, Expr> names) {
        ExprParser parser = new ExprParser(text, names);
        if (parser.peek().kind() == Kind.END) {
            throw parser.error("Cannot parse an empty expression; write one such as (x - m) / s", parser.peek());
        }
        Expr expr = parser.expression();
        if (parser.peek().kind() != Kind.END) {
            throw parser.unexpected(parser.peek());
        }
        return expr;
    }

    Expr expression() {
        return binary(ExprSyntax.COMPARISON);
    }

    /** Operators of at least this precedence, from the left. */
    private Expr binary(int precedence) {
        Expr left = unary();
        while (true) {
            Token token = peek();
            ExprSyntax.Operator operator = token.kind() == Kind.OPERATOR ? ExprSyntax.BINARY.get(token.text()) : null;
            if (operator == null || operator.precedence() < precedence) {
                return left;
            }
            next++;
            Expr before = left;
            Expr right = binary(operator.precedence() + 1);
            left = build(token, () -> operator.builder().apply(before, right));
            if (operator.precedence() == ExprSyntax.COMPARISON) {
                refuseChain(token);
            }
        }
    }

    private void refuseChain(Token first) {
        Token second = peek();
        ExprSyntax.Operator operator = second.kind() == Kind.OPERATOR ? ExprSyntax.BINARY.get(second.text()) : null;
        if (operator != null && operator.precedence() == ExprSyntax.COMPARISON) {
            throw error(
                    "Cannot chain comparisons: a " + first.text() + " b " + second.text() + " c; write (a "
                            + first.text() + " b) & (b " + second.text() + " c)",
                    second);
        }
    }

    private Expr unary() {
        Token token = peek();
        if (!token.is("-") && !token.is("+") && !token.is("~")) {
            return power();
        }
        next++;
        enter(token);
        Expr operand = unary();
        depth--;
        if (token.is("+")) {
            return build(token, () -> Compositions.positive(operand));
        }
        return build(token, () -> Expr.apply(token.is("-") ? Ops.NEG : Ops.BITWISE_NOT, operand));
    }

    private Expr power() {
        Expr base = postfix();
        Token token = peek();
        if (!token.is("**")) {
            return base;
        }
        next++;
        enter(token);
        Expr exponent = unary(); // from the right, and 2 ** -1 needs no parentheses
        depth--;
        return build(token, () -> Expr.apply(Ops.POW, BroadcastWarning.checked(base, exponent)));
    }

    private Expr postfix() {
        Expr value = primary();
        while (peek().is(".") || peek().is("[")) {
            Token sign = take();
            if (sign.is("[")) {
                value = subscript(sign, value);
                continue;
            }
            Token method = take();
            if (method.isName("T") && !peek().is("(")) {
                value = build(method, transposed(value));
                continue;
            }
            if (method.kind() != Kind.NAME || !peek().is("(")) {
                throw error(
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
        return () -> Moves.permute(
                value, IntStream.range(0, rank).map(dim -> rank - 1 - dim).toArray());
    }

    private Expr subscript(Token open, Expr value) {
        enter(open);
        List<Subscript.Item> items = new SubscriptReader(this, open).items();
        depth--;
        return build(open, () -> Subscript.of(value, items));
    }

    /** A plain integer, which may be computed of others. */
    Long integer(String what) {
        Token token = peek();
        if (expression() instanceof Literal literal && literal.value() instanceof Long value) {
            return value;
        }
        throw error("Cannot read " + what + ": '" + token.text() + "'; write one such as 0 or -1", token);
    }

    private Expr primary() {
        Token token = take();
        if (token.kind() == Kind.NUMBER && token.value() != null) {
            return Expr.literal(token.value());
        }
        if (token.is("(")) {
            enter(token);
            Expr inside = expression();
            depth--;
            close(token, ")");
            return inside;
        }
        if (token.kind() == Kind.NAME && !ExprSyntax.REMEDIES.containsKey(token.text())) {
            return peek().is("(") ? call(token, null) : named(token);
        }
        throw token.kind() == Kind.END
                ? error(
                        "Cannot parse the expression: it ends where a value was expected; add a name or a number",
                        token)
                : unexpected(token);
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
            throw error(
                    "Cannot use the function '" + token.text() + "' as a value; write " + token.text() + "(…)", token);
        }
        TreeSet<String> all = new TreeSet<>(names.keySet());
        String listed = all.isEmpty() ? "none was given" : "the names are " + String.join(", ", all);
        String guess =
                Names.meant(token.text(), all).map(question -> question + " ").orElse("");
        throw error("Cannot find name '" + token.text() + "'; " + guess + listed, token);
    }

    private Expr call(Token function, @Nullable Expr receiver) {
        Token open = take();
        enter(open);
        Expr result = new ExprFunctions(this, function, receiver).call();
        depth--;
        return result;
    }

    /** What {@code builder} makes; its error, with the caret under this token. */
    Expr build(Token token, Supplier<Expr> builder) {
        try {
            return builder.get();
        } catch (ExprSyntaxException e) {
            throw e;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            ExprSyntaxException located = error(String.valueOf(e.getMessage()), token);
            located.initCause(e);
            throw located;
        }
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Kind.END) {
            next++;
        }
        return token;
    }

    /** Takes the closing bracket. */
    void close(Token open, String closing) {
        Token token = take();
        if (token.kind() == Kind.END) {
            throw error(
                    "Cannot parse the expression: '" + open.text() + "' was never closed; add '" + closing + "'", open);
        }
        if (!token.is(closing)) {
            throw unexpected(token);
        }
    }

    /** Whether the bracket that comes next, a parenthesis, holds several things and is no bracketed value. */
    boolean isTuple() {
        int inside = 0;
        for (int i = next; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is("(") || token.is("[")) {
                inside++;
            } else if (token.is(")") || token.is("]")) {
                inside--;
            }
            if (inside == 0 || inside == 1 && token.is(",")) {
                return inside == 1;
            }
        }
        return false;
    }

    /** All arguments up to the closing parenthesis, each read by {@code argument}. */
    <A> List<A> arguments(Supplier<A> argument, Token open, String closing) {
        List<A> arguments = new ArrayList<>();
        while (!peek().is(closing) && peek().kind() != Kind.END) {
            arguments.add(argument.get());
            if (!peek().is(",")) {
                break;
            }
            next++;
        }
        close(open, closing);
        return arguments;
    }

    private void enter(Token token) {
        if (++depth > MAX_DEPTH) {
            throw error("Cannot parse an expression nested deeper than " + MAX_DEPTH + "; split it in two", token);
        }
    }

    ExprSyntaxException unexpected(Token token) {
        if (token.kind() == Kind.END) {
            return error("Cannot parse the expression: it ends too early", token);
        }
        String remedy = ExprSyntax.REMEDIES.get(token.text());
        if (remedy != null) {
            return error("Cannot use '" + token.text() + "' in an expression; " + remedy, token);
        }
        if (token.is(")") || token.is("]")) {
            return error("Cannot parse the expression: unmatched '" + token.text() + "'; remove it", token);
        }
        return error(
                "Cannot parse the expression: unexpected '" + token.text() + "'; is an operator or a comma missing?",
                token);
    }

    ExprSyntaxException error(String sentence, Token token) {
        return new ExprSyntaxException(sentence, text, token.start());
    }
}
