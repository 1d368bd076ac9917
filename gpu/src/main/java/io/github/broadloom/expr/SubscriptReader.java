package io.github.broadloom.expr;

import io.github.broadloom.expr.ExprLexer.Token;
import io.github.broadloom.expr.Subscript.At;
import io.github.broadloom.expr.Subscript.Item;
import io.github.broadloom.expr.Subscript.Mark;
import io.github.broadloom.expr.Subscript.Range;
import io.github.broadloom.shape.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what stands between the brackets of {@code x[0, 1:3, None, ...]}. */
final class SubscriptReader {
    private final ExprParser parser;
    private final Token open;

    SubscriptReader(ExprParser parser, Token open) {
        this.parser = parser;
        this.open = open;
    }

    /** All items and the closing bracket; at least one. */
    List<Item> items() {
        if (parser.peek().is("]")) {
            throw parser.error("Cannot index with nothing; write an index such as 0 or a slice such as 1:3", open);
        }
        return parser.arguments(this::item, open, "]");
    }

    private Item item() {
        if (parser.peek().is("...")) {
            parser.take();
            return Mark.ELLIPSIS;
        }
        if (parser.peek().isName("None") && !parser.peekSecond().is(":")) {
            parser.take();
            return Mark.NEW_AXIS;
        }
        Long start = bound();
        if (!parser.peek().is(":")) {
            if (start == null) {
                throw parser.unexpected(parser.peek());
            }
            return new At(start);
        }
        parser.take();
        Long stop = bound();
        Token second = parser.peek();
        if (!second.is(":")) {
            return new Range(new Slice(start, stop, 1));
        }
        parser.take();
        Long step = bound();
        if (step != null && step <= 0) { // Python's words, and PyTorch's
            throw parser.error(step == 0 ? "slice step cannot be zero" : "step must be greater than zero", second);
        }
        return new Range(new Slice(start, stop, step == null ? 1 : step));
    }

    /** An integer, or null where the slice is open. */
    private @Nullable Long bound() {
        Token token = parser.peek();
        if (token.is(":") || token.is("]") || token.is(",")) {
            return null;
        }
        if (token.isName("None")) {
            parser.take();
            return null;
        }
        return parser.integer("an index");
    }
}
