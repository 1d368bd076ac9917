package io.github.broadloom.kernels.reduce;

import io.github.broadloom.dtype.Primitive;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;

/**
 * What an aligned block of places comes to: one node of the {@link PairwiseTree} over the rows of a tensor or the panels of a product.
 * Node {@code (level, index)} covers the places from {@code index << level} to {@code (index + 1) << level}, and its value is
 * always that of its two children combined, so it does not depend on who computed it.
 *
 * @param level 0 for a single place
 * @param index position among the nodes of its level
 * @param values an array of numbers. Of rows {@code double[]} where the reduced values are floating, else {@code long[]}; an accumulator, of
 *     one number or several, per kept inner element, row-major. Of panels a sum for each element of the product. Not copied: whoever makes a
 *     node gives the array away
 */
public record FoldNode(int level, long index, Object values) implements Serializable {

    private static final long serialVersionUID = 2L;

    public FoldNode {
        if (!values.getClass().isArray()) {
            throw new IllegalArgumentException(
                    "Cannot fold values: " + values.getClass().getSimpleName() + "; they are an array of numbers");
        }
    }

    /** The first place that this node covers. */
    public long first() {
        return index << level;
    }

    /** The place after the last that this node covers. */
    public long end() {
        return (index + 1) << level;
    }

    /** How many places it covers. */
    public long places() {
        return 1L << level;
    }

    /** The bytes of its numbers. */
    public long sizeBytes() {
        return (long) numbers(values) * Primitive.of(values).bytes();
    }

    /** How many numbers a node's values are. */
    public static int numbers(Object values) {
        return Array.getLength(values);
    }

    /** One with values of its own. */
    public FoldNode copy() {
        int count = numbers(values);
        Object copy = Array.newInstance(values.getClass().getComponentType(), count);
        System.arraycopy(values, 0, copy, 0, count);
        return new FoldNode(level, index, copy);
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
        return Arrays.deepHashCode(new Object[] {level, index, values});
    }

    @Override
    public String toString() {
        return "places " + first() + " to " + end() + " (" + numbers(values) + " numbers)";
    }
}
