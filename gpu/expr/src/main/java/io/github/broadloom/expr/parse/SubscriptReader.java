package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Subscript.At;
import io.github.broadloom.expr.Subscript.Item;
import io.github.broadloom.expr.Subscript.Mark;
import io.github.broadloom.expr.Subscript.Picked;
import io.github.broadloom.expr.Subscript.Range;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what stands between the brackets of {@code x[0, 1:3, None, ...]}. */
final class SubscriptReader {
    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token open;

    SubscriptReader(ExprParser parser, Token open) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.open = open;
    }

    /** All items and the closing bracket; at least one. */
    List<Item> items() {
        if (tokens.peek().is("]")) {
            throw tokens.error("Cannot index with nothing; write an index such as 0 or a slice such as 1:3", open);
        }
        return tokens.arguments(this::item, open, "]");
    }

    private Item item() {
        if (tokens.peek().is("...")) {
            tokens.take();
            return Mark.ELLIPSIS;
        }
        if (tokens.peek().isName("None") && !tokens.peekSecond().is(":")) {
            tokens.take();
            return Mark.NEW_AXIS;
        }
        Token first = tokens.peek();
        if (first.is("[")) {
            tokens.take();
            return new Picked(listed(first));
        }
        Long start = null;
        if (!first.is(":") && !tokens.takeNone()) {
            Expr value = parser.expression();
            if (!(value instanceof Literal)) {
                return new Picked(value);
            }
            start = integer(value, first);
        }
        if (!tokens.peek().is(":")) {
            if (start == null) {
                throw tokens.unexpected(tokens.peek());
            }
            return new At(start);
        }
        tokens.take();
        Long stop = bound();
        Token second = tokens.peek();
        if (!second.is(":")) {
            return new Range(new Slice(start, stop, 1));
        }
        tokens.take();
        Long step = bound();
        if (step != null && step <= 0) { // Python's words, and PyTorch's
            throw tokens.error(step == 0 ? "slice step cannot be zero" : "step must be greater than zero", second);
        }
        return new Range(new Slice(start, stop, step == null ? 1 : step));
    }

    private Expr listed(Token bracket) {
        List<Long> indices = tokens.arguments(() -> parser.integer("an index"), bracket, "]");
        return Input.of(Tensors.of(indices.stream().mapToLong(Long::longValue).toArray()));
    }

    private Long integer(Expr value, Token token) {
        if (value instanceof Literal literal && literal.value() instanceof Long index) {
            return index;
        }
        throw tokens.error("Cannot read an index: '" + token.text() + "'; write one such as 0 or -1", token);
    }

    /** An integer, or null where the slice is open. */
    private @Nullable Long bound() {
        Token token = tokens.peek();
        if (token.is(":") || token.is("]") || token.is(",")) {
            return null;
        }
        return tokens.takeNone() ? null : parser.integer("an index");
    }
}
