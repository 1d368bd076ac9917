package io.github.broadloom.tensor;

import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.Arrays;

/** A block of a tensor: for every dimension the indices {@code start(d) <= index < end(d)}. */
public final class Box implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long[] starts;
    private final long[] ends;

    private Box(long[] starts, long[] ends) {
        this.starts = starts;
        this.ends = ends;
    }

    /**
     * A block between these corners.
     *
     * @throws IllegalArgumentException where there are more of one than of the other, or one ends before it starts
     */
    public static Box of(long[] starts, long[] ends) {
        boolean good = starts.length == ends.length;
        for (int d = 0; good && d < starts.length; d++) {
            good = 0 <= starts[d] && starts[d] <= ends[d];
        }
        if (!good) {
            throw new IllegalArgumentException("Cannot make a block from " + Arrays.toString(starts) + " to "
                    + Arrays.toString(ends) + ": each dimension ends where it starts, or after");
        }
        return new Box(starts.clone(), ends.clone());
    }

    public static Box whole(Shape shape) {
        return new Box(new long[shape.rank()], shape.toArray());
    }

    /** The block that such a tensor fills whose first element is there. */
    public static Box at(long[] starts, Shape shape) {
        long[] ends = starts.clone();
        for (int d = 0; d < ends.length; d++) {
            ends[d] += shape.size(d);
        }
        return of(starts, ends);
    }

    public int rank() {
        return starts.length;
    }

    public long start(int dim) {
        return starts[dim];
    }

    public long end(int dim) {
        return ends[dim];
    }

    public long size(int dim) {
        return ends[dim] - starts[dim];
    }

    public long[] starts() {
        return starts.clone();
    }

    public Shape shape() {
        long[] sizes = new long[starts.length];
        Arrays.setAll(sizes, this::size);
        return Shape.of(sizes);
    }

    public boolean isEmpty() {
        for (int d = 0; d < starts.length; d++) {
            if (size(d) == 0) {
                return true;
            }
        }
        return false;
    }

    /** The same block with other indices along one dimension. */
    public Box with(int dim, long start, long end) {
        long[] otherStarts = starts.clone();
        long[] otherEnds = ends.clone();
        otherStarts[dim] = start;
        otherEnds[dim] = end;
        return of(otherStarts, otherEnds);
    }

    public Box intersection(Box other) {
        long[] first = starts.clone();
        long[] last = ends.clone();
        for (int d = 0; d < first.length; d++) {
            first[d] = Math.max(first[d], other.starts[d]);
            last[d] = Math.max(first[d], Math.min(last[d], other.ends[d]));
        }
        return new Box(first, last);
    }

    /** The same block where indices are counted from another one's first. */
    public Box from(Box origin) {
        long[] first = new long[starts.length];
        Arrays.setAll(first, d -> starts[d] - origin.starts[d]);
        return at(first, shape());
    }

    /** The view of a tensor that has the block's elements, where the tensor's first element is at {@code origin} of the whole. */
    public Tensor of(Tensor tensor, Box origin) {
        Tensor view = tensor;
        for (int d = 0; d < starts.length; d++) {
            if (size(d) != view.shape().size(d)) {
                view = view.narrow(d, starts[d] - origin.starts[d], size(d));
            }
        }
        return view;
    }

    public Tensor of(Tensor whole) {
        return of(whole, whole(whole.shape()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Box box && Arrays.equals(starts, box.starts) && Arrays.equals(ends, box.ends);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(starts) + Arrays.hashCode(ends);
    }

    /** As NumPy slices: {@code [0:4, 2:3]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int d = 0; d < starts.length; d++) {
            text.append(d == 0 ? "" : ", ").append(starts[d]).append(':').append(ends[d]);
        }
        return text.append(']').toString();
    }
}
