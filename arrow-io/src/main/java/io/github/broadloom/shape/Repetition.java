package io.github.broadloom.shape;

import java.util.Arrays;

/**
 * A tensor repeated as a whole along each dimension, as shapes only: seen in the shape {@code single}, expanded to {@code
 * pairs} and seen in the shape {@code result}, it is. Dimension d of the result is a pair, {@code [counts[d], size(d)]}.
 */
public record Repetition(Shape single, Shape pairs, Shape result) {

    /**
     * As {@code Tensor.repeat} counts: one count for each dimension, and more of them make new leading dimensions.
     *
     * @throws IllegalArgumentException with PyTorch's text, for too few counts, a negative one, or a result of more than
     *     2⁶³ - 1 elements
     */
    public static Repetition of(Shape shape, long... counts) {
        int added = counts.length - shape.rank();
        if (added < 0) {
            throw new IllegalArgumentException(
                    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
        }
        long[] sizes = new long[counts.length];
        long[] pairs = new long[2 * counts.length];
        long[] single = new long[2 * counts.length];
        Arrays.fill(single, 1);
        for (int dim = 0; dim < counts.length; dim++) {
            long size = dim < added ? 1 : shape.size(dim - added);
            pairs[2 * dim] = counts[dim];
            pairs[2 * dim + 1] = size;
            single[2 * dim + 1] = size;
            sizes[dim] = product(counts[dim], size);
        }
        Shape result = Shape.of(sizes);
        return new Repetition(Shape.of(single), Shape.of(pairs), result);
    }

    /** As {@code Tensor.tile} counts: the counts that are missing, of the leading dimensions, are one. */
    public static Repetition ofTiles(Shape shape, long... counts) {
        long[] all = new long[Math.max(counts.length, shape.rank())];
        Arrays.fill(all, 1);
        System.arraycopy(counts, 0, all, all.length - counts.length, counts.length);
        return of(shape, all);
    }

    /** A size that {@link Shape#of} refuses stands for one that passes 2⁶³ - 1. */
    public static long product(long count, long size) {
        try {
            return Math.multiplyExact(count, size);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
