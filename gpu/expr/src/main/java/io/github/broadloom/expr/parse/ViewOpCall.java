package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.stream.LongStream;

/** One call of a function that says where elements are: its arguments are integers, alone or in brackets; of padding also a mode and a value. */
final class ViewOpCall extends NamedCall {
    private final int required;

    ViewOpCall(ExprParser parser, Token function, FunctionTable.Row<?> row, Expr operand) {
        super(parser, function, row.behindFirst(), row.signature(), operand);
        this.required = row.required() - 1;
    }

    @Override
    Object value(String name) {
        if (name.equals("mode")) {
            return tokens.text(name);
        }
        if (name.equals("value")) {
            Expr value = parser.expression();
            if (value instanceof Literal) {
                return value;
            }
            throw error("value is no number; give one");
        }
        return tokens.oneOrSeveral(() -> name.equals("start") ? start() : integer()).stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    @Override
    Object joined(Object before, Object value) {
        return LongStream.concat(numbers(before), numbers(value)).toArray();
    }

    private static LongStream numbers(Object value) {
        return value instanceof long[] several ? LongStream.of(several) : LongStream.empty();
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

    String text(String name, String otherwise) {
        String given = get(name, String.class);
        return given == null ? otherwise : given;
    }

    Object number(String name, Object otherwise) {
        Literal given = get(name, Literal.class);
        return given == null ? otherwise : given.value();
    }

    void checkComplete() {
        for (String name : names.subList(0, required)) {
            if (!has(name)) {
                throw missing(name);
            }
        }
    }

    boolean has(String name) {
        return get(name, Object.class) != null;
    }

    long[] longs(String name) {
        long[] given = get(name, long[].class);
        return given == null ? new long[0] : given;
    }

    /** Dimensions; one beyond 32 bits is out of range all the same. */
    int[] dims(String name) {
        return LongStream.of(longs(name)).mapToInt(ViewOpCall::clamped).toArray();
    }

    static int clamped(long dim) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, dim));
    }

    int dim(String name, int otherwise) {
        return has(name) ? clamped(index(name)) : otherwise;
    }

    long index(String name) {
        long[] given = longs(name);
        if (given.length != 1) {
            throw error(name + " is " + given.length + " numbers; give one");
        }
        return given[0];
    }
}
