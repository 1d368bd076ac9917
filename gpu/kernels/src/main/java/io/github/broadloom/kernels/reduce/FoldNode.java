package io.github.broadloom.kernels.reduce;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The accumulators of an aligned block of rows: one node of the pairwise tree over the global row index. Node
 * {@code (level, index)} covers the rows from {@code index << level} to {@code (index + 1) << level}, and its value is
 * always that of its two children combined, so it does not depend on who computed it.
 *
 * @param level 0 for a single row
 * @param index position among the nodes of its level
 * @param values {@code double[]} where the reduced values are floating, else {@code long[]}; an accumulator, of one number
 *     or several, per kept inner element, row-major. Not copied: whoever makes a node gives the array away
 */
public record FoldNode(int level, long index, Object values) implements Serializable {

    private static final long serialVersionUID = 1L;

    public FoldNode {
        if (!(values instanceof double[]) && !(values instanceof long[])) {
            throw new IllegalArgumentException(
                    "Cannot fold values: " + values.getClass().getSimpleName() + "; they are double[] or long[]");
        }
    }

    /** The first global row that this node covers. */
    public long firstRow() {
        return index << level;
    }

    /** The global row after the last that this node covers. */
    public long endRow() {
        return (index + 1) << level;
    }

    /** The bytes of its numbers. */
    public long sizeBytes() {
        return (long) numbers(values) * Long.BYTES;
    }

    /** How many numbers a node's values are. */
    public static int numbers(Object values) {
        return values instanceof double[] doubles ? doubles.length : ((long[]) values).length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FoldNode node
                && level == node.level
                && index == node.index
                && Objects.deepEquals(values, node.values);
    }

    @Override
    public int hashCode() {
        int valuesHash =
                values instanceof double[] doubles ? Arrays.hashCode(doubles) : Arrays.hashCode((long[]) values);
        return 31 * (31 * level + Long.hashCode(index)) + valuesHash;
    }

    @Override
    public String toString() {
        return "rows " + firstRow() + " to " + endRow() + " (" + numbers(values) + " numbers)";
    }
}
