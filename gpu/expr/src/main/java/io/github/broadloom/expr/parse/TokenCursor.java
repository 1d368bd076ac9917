package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is still to be read of a string expression; its errors show where in the text they are. */
final class TokenCursor {
    private final String text;
    private final List<Token> tokens;
    private int next;

    /** @throws ExprSyntaxException where the text has what is no token */
    TokenCursor(String text) {
        this.text = text;
        this.tokens = ExprLexer.tokens(text);
    }

    /** What {@code builder} makes; its error, with the caret under this token. */
    <T> T build(Token token, Supplier<T> builder) {
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

    DType dtype() {
        Token name = take();
        return ExprFunctions.dtype(name.text())
                .orElseThrow(() -> error("Cannot find dtype '" + name.text() + "'; write one such as float32", name));
    }

    boolean flag(String name) {
        Token token = take();
        if (!token.isName("True") && !token.isName("False")) {
            throw error("Cannot read " + name + ": '" + token.text() + "'; write True or False", token);
        }
        return token.isName("True");
    }

    String text(String name) {
        Token token = take();
        if (token.kind() != Kind.TEXT) {
            throw error("Cannot read " + name + ": '" + token.text() + "'; write it in quotes", token);
        }
        return token.unquoted();
    }

    /** Takes None, if it comes next. */
    boolean takeNone() {
        boolean isNone = peek().isName("None");
        if (isNone) {
            take();
        }
        return isNone;
    }

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

    /** Everything up to the closing bracket, each argument read by {@code argument}. */
    void each(Runnable argument, Token open, String closing) {
        while (!peek().is(closing) && peek().kind() != Kind.END) {
            argument.run();
            if (!peek().is(",")) {
                break;
            }
            take();
        }
        close(open, closing);
    }

    <A> List<A> arguments(Supplier<A> argument, Token open, String closing) {
        List<A> arguments = new ArrayList<>();
        each(() -> arguments.add(argument.get()), open, closing);
        return arguments;
    }

    /** One thing, or several in parentheses or brackets. */
    <A> List<A> oneOrSeveral(Supplier<A> one) {
        Token open = peek();
        if (!open.is("(") && !open.is("[")) {
            return List.of(one.get());
        }
        take();
        return arguments(one, open, open.is("(") ? ")" : "]");
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
