package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call that joins values: {@code cat((x, y), dim=0)} or {@code stack([x, y], 1)}, also without brackets, {@code cat(x, y,
 * 0)}: an integer that stands last is the dimension.
 */
final class JoinCall {
    /** The functions of this form. */
    static final Set<String> NAMES = new LinkedHashSet<>(List.of("cat", "stack", "concat", "concatenate"));

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final List<Expr> operands = new ArrayList<>();
    private @Nullable Long dim;

    JoinCall(ExprParser parser, Token function, @Nullable Expr receiver) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        if (receiver != null) {
            operands.add(receiver);
        }
    }

    /** Reads one argument. */
    void argument() {
        String keyword = CallValues.keyword(tokens, function, List.of("tensors", "dim", "axis"));
        Token token = tokens.peek();
        if (keyword != null && !keyword.equals("tensors")) {
            dim = parser.integer("the dimension of " + function.text());
        } else if (token.is("[") || token.is("(") && tokens.isTuple()) {
            tokens.take();
            operands.addAll(tokens.arguments(parser::expression, token, token.is("(") ? ")" : "]"));
        } else {
            operands.add(parser.expression());
        }
    }

    /** The joined values. */
    Expr build() {
        int last = operands.size() - 1;
        if (dim == null
                && last > 0
                && operands.get(last) instanceof Literal literal
                && literal.value() instanceof Long value) {
            dim = value;
            operands.remove(last);
        }
        int at = dim == null ? 0 : (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, dim));
        return function.text().equals("stack") ? ViewOps.stack(operands, at) : Expr.concat(operands, at);
    }
}
