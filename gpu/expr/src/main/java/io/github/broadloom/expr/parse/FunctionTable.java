package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the string language whose calls are read alike, in the order of the documentation.
 *
 * @param <C> what a call gives
 */
final class FunctionTable<C> {
    private final Map<String, Row<C>> byName = new LinkedHashMap<>();

    /**
     * A function.
     *
     * @param names PyTorch's, and behind it its other names
     * @param arguments PyTorch's names of all arguments
     * @param required how many of them must be given
     * @param signature all arguments with their defaults, for people; the last may be several where it has a star
     * @param doc one line for the documentation
     * @param builder makes the expression of a call
     */
    record Row<C>(
            List<String> names,
            List<String> arguments,
            int required,
            String signature,
            String doc,
            Function<C, Expr> builder) {
        String name() {
            return names.get(0);
        }

        /** PyTorch's names of the arguments behind the value. */
        List<String> behindFirst() {
            return arguments.subList(1, arguments.size());
        }
    }

    /** A function that is still to be told what it makes. */
    interface Draft<C> {
        void by(Function<C, Expr> builder);
    }

    /** @param names separated by spaces */
    Draft<C> add(String names, String signature, String doc) {
        List<String> all = List.of(signature.split(", "));
        List<String> arguments = all.stream()
                .map(argument -> argument.replaceFirst("=.*", "").replace("*", ""))
                .toList();
        int required =
                (int) all.stream().filter(argument -> !argument.contains("=")).count();
        List<String> each = List.of(names.split(" "));
        return builder -> {
            Row<C> row = new Row<>(each, arguments, required, signature, doc, builder);
            each.forEach(name -> byName.put(name, row));
        };
    }

    @Nullable Row<C> find(String name) {
        return byName.get(name);
    }

    Stream<Row<C>> all() {
        return byName.values().stream().distinct();
    }
}
