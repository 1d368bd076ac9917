package io.github.broadloom.shape;

import java.io.Serializable;
import java.util.Arrays;

/** The immutable sizes of a tensor, one for each dimension; rank 0 is a scalar with one element. */
public final class Shape implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The shape without dimensions: one element. */
    public static final Shape SCALAR = new Shape(new long[0], 1);

    private final long[] sizes;
    private final long numel;

    private Shape(long[] sizes, long numel) {
        this.sizes = sizes;
        this.numel = numel;
    }

    /**
     * The shape of these sizes, each zero or more.
     *
     * @throws IllegalArgumentException for a negative size, or where the product passes 2⁶³ - 1; a size of zero counts
     *     as one there, because strides are products too
     */
    public static Shape of(long... sizes) {
        long numel = 1;
        long span = 1;
        for (long size : sizes) {
            if (size < 0) {
                throw new IllegalArgumentException(
                        "Trying to create tensor with negative dimension " + size + ": " + Arrays.toString(sizes));
            }
            long factor = Math.max(size, 1);
            if (Math.multiplyHigh(span, factor) != 0 || span * factor < 0) {
                throw new IllegalArgumentException(
                        "Storage size calculation overflowed with sizes=" + Arrays.toString(sizes));
            }
            span *= factor;
            numel *= size;
        }
        return sizes.length == 0 ? SCALAR : new Shape(sizes.clone(), numel);
    }

    public int rank() {
        return sizes.length;
    }

    /** The size of dimension {@code 0 <= dim < rank}. */
    public long size(int dim) {
        return sizes[dim];
    }

    public long numel() {
        return numel;
    }

    /** The sizes, as a fresh array. */
    public long[] toArray() {
        return sizes.clone();
    }

    /** Of so many dimensions, each of size one: {@code ones(3).with(1, n)} is that of a line along the middle one. */
    public static Shape ones(int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        return of(sizes);
    }

    public Shape with(int dim, long size) {
        long[] changed = sizes.clone();
        changed[dim] = size;
        return of(changed);
    }

    public Shape without(int dim) {
        return of(LongArrays.without(sizes, dim));
    }

    /** This shape behind one more dimension, the first. */
    public Shape withLeading(long size) {
        return of(size).concat(this);
    }

    /** The dimensions from {@code start} to before {@code end}. */
    public Shape dims(int start, int end) {
        return of(Arrays.copyOfRange(sizes, start, end));
    }

    /** These dimensions, and behind them those of another shape. */
    public Shape concat(Shape behind) {
        long[] all = Arrays.copyOf(sizes, rank() + behind.rank());
        System.arraycopy(behind.sizes, 0, all, rank(), behind.rank());
        return of(all);
    }

    /** This shape less its leading dimension: the shape of one row. */
    public Shape inner() {
        return without(0);
    }

    /**
     * The dimension that {@code dim} means, negative ones counting from the end. A scalar takes 0 and -1, as in PyTorch.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text
     */
    public int normalizeDim(int dim) {
        return normalizeDim(dim, Math.max(rank(), 1));
    }

    /** The place that {@code dim} means among {@code count} of them. */
    static int normalizeDim(int dim, int count) {
        if (dim < -count || dim >= count) {
            throw new IndexOutOfBoundsException("Dimension out of range (expected to be in range of [" + -count + ", "
                    + (count - 1) + "], but got " + dim + ")");
        }
        return dim < 0 ? dim + count : dim;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shape that && Arrays.equals(sizes, that.sizes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sizes);
    }

    /** As PyTorch prints sizes, for example {@code [2, 3]}. */
    @Override
    public String toString() {
        return Arrays.toString(sizes);
    }
}
