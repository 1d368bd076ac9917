package io.github.broadloom.expr;

import java.util.function.Function;

/**
 * Values chosen along a dimension, and where they stood.
 *
 * @param values in the operand's dtype
 * @param indices in int64
 */
public record ValuesAndIndices<T>(T values, T indices) {
    /** Both through a function. */
    public <R> ValuesAndIndices<R> map(Function<? super T, ? extends R> function) {
        return new ValuesAndIndices<>(function.apply(values), function.apply(indices));
    }
}
