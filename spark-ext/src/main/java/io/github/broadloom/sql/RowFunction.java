package io.github.broadloom.sql;

import org.jspecify.annotations.Nullable;

/** What the code that Spark generates calls for each row. */
@FunctionalInterface
public interface RowFunction {
    /**
     * The value for a row: a boxed number, a string or an array of Spark's, or null.
     *
     * @param cells of the arguments, boxed
     * @throws IllegalArgumentException naming the function, for cells that are no tensors or whose shapes do not go together
     */
    @Nullable Object evaluate(@Nullable Object[] cells);
}
