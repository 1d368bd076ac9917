package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/** One call of a {@link ViewOpFunction}: a value, and integers by place or by keyword, alone or in brackets. */
final class ViewOpCall {
    private static final Map<String, String> ALIASES = Map.of("axis", "dim", "axes", "dims");

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final ViewOpFunction row;
    private final Expr operand;
    private final Map<String, long[]> values = new HashMap<>();
    private int positions;

    ViewOpCall(ExprParser parser, Token function, ViewOpFunction row, Expr operand) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.row = row;
        this.operand = operand;
    }

    /** Reads one argument behind the value. */
    void argument() {
        String keyword = CallValues.keyword(tokens, function, CallValues.keywords(row.arguments(), ALIASES));
        String name = keyword == null ? positional() : ALIASES.getOrDefault(keyword, keyword);
        if (tokens.peek().isName("None")) {
            tokens.take();
            return;
        }
        boolean more = keyword == null && isCollecting(name);
        long[] read = integers(name);
        long[] before = values.put(name, read);
        if (before != null && !more) {
            throw error(name + " is given twice");
        }
        if (before != null) {
            values.put(
                    name,
                    LongStream.concat(LongStream.of(before), LongStream.of(read))
                            .toArray());
        }
    }

    private String positional() {
        int last = row.arguments().size() - 1;
        int place = positions++;
        if (place > last && !row.isVariadic()) {
            throw error((place + 2) + " arguments given; it takes " + row.signature());
        }
        return row.arguments().get(Math.min(place, last));
    }

    private boolean isCollecting(String name) {
        return row.isVariadic()
                && row.arguments().indexOf(name) == row.arguments().size() - 1;
    }

    private long[] integers(String name) {
        return tokens.oneOrSeveral(() -> name.equals("start") ? start() : integer()).stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    private Long integer() {
        return parser.integer("an integer of " + function.text());
    }

    /** A plain integer, or one that a tensor says. */
    private Long start() {
        Token token = tokens.peek();
        Expr value = parser.expression();
        return tokens.build(token, () -> ViewOps.start(value));
    }

    /** Refuses a call in which something is missing. */
    void checkComplete() {
        for (String name : row.arguments().subList(0, row.required())) {
            if (!values.containsKey(name)) {
                throw error(name + " is missing; it takes " + row.signature());
            }
        }
    }

    Expr operand() {
        return operand;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    long[] longs(String name) {
        return values.getOrDefault(name, new long[0]);
    }

    /** Dimensions; one beyond 32 bits is out of range all the same. */
    int[] dims(String name) {
        return LongStream.of(longs(name))
                .mapToInt(dim -> (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, dim)))
                .toArray();
    }

    int dim(String name, int otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        index(name);
        return dims(name)[0];
    }

    /** The one number of that name. */
    long index(String name) {
        long[] given = longs(name);
        if (given.length != 1) {
            throw error(name + " is " + given.length + " numbers; give one");
        }
        return given[0];
    }

    private ExprSyntaxException error(String sentence) {
        return tokens.error("Cannot call " + function.text() + ": " + sentence, function);
    }
}
