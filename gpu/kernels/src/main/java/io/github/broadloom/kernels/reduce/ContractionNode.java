package io.github.broadloom.kernels.reduce;

import java.io.Serializable;
import java.lang.reflect.Array;

/**
 * The sums of a row of neighbouring panels of a {@link io.github.broadloom.expr.Contraction}: one node of the pairwise tree over the panels' numbers.
 *
 * @param level 0 for a single panel
 * @param index position among the nodes of its level
 * @param sums {@code float[]}, {@code double[]}, {@code int[]} or {@code long[]}, one for each element of the result, row-major. Not copied: whoever makes a
 *     node gives the array away
 */
public record ContractionNode(int level, long index, Object sums) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The bytes of its sums. */
    public long sizeBytes() {
        boolean isNarrow = sums instanceof float[] || sums instanceof int[];
        return (long) Array.getLength(sums) * (isNarrow ? Integer.BYTES : Long.BYTES);
    }
}
