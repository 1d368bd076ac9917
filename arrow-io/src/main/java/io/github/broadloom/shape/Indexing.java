package io.github.broadloom.shape;

import java.util.Arrays;

/** The views of {@link Layout} that take some of the indices, and the place of one element. */
final class Indexing {
    private Indexing() {}

    static Layout select(Layout layout, int dim, long index) {
        requireDimension(layout, "select");
        Shape shape = layout.shape();
        int at = shape.normalizeDim(dim);
        long size = shape.size(at);
        if (index < -size || index >= size) {
            throw new IndexOutOfBoundsException(
                    "select(): index " + index + " out of range for tensor of size " + shape + " at dimension " + at);
        }
        long wrapped = index < 0 ? index + size : index;
        long start = layout.offset() + wrapped * layout.stride(at);
        return new Layout(shape.without(at), LongArrays.without(layout.strides(), at), start);
    }

    static Layout slice(Layout layout, int dim, Slice slice) {
        requireDimension(layout, "slice");
        Shape shape = layout.shape();
        int at = shape.normalizeDim(dim);
        long size = shape.size(at);
        long stride = layout.stride(at);
        return new Layout(
                shape.with(at, slice.count(size)),
                LongArrays.with(layout.strides(), at, stride * slice.step()),
                layout.offset() + slice.first(size) * stride);
    }

    static Layout narrow(Layout layout, int dim, long start, long length) {
        if (layout.rank() == 0) {
            throw new IllegalArgumentException("narrow() cannot be applied to a 0-dim tensor.");
        }
        if (length < 0) {
            throw new IllegalArgumentException("narrow(): length must be non-negative.");
        }
        int at = layout.shape().normalizeDim(dim);
        long size = layout.shape().size(at);
        if (start < -size || start > size) {
            throw new IndexOutOfBoundsException("start out of range (expected to be in range of [" + -size + ", " + size
                    + "], but got " + start + ")");
        }
        long first = start < 0 ? start + size : start;
        if (first > size - length) {
            throw new IllegalArgumentException(
                    "start (" + first + ") + length (" + length + ") exceeds dimension size (" + size + ").");
        }
        return slice(layout, at, Slice.of(first, first + length));
    }

    static Layout unfold(Layout layout, int dim, long size, long step) {
        Shape shape = layout.shape();
        int rank = shape.rank();
        int at = shape.normalizeDim(dim);
        long whole = rank == 0 ? 1 : shape.size(at);
        if (size < 0) {
            throw new IllegalArgumentException("size is " + size + " but must be >= 0");
        }
        if (size > whole) {
            throw new IllegalArgumentException(
                    "maximum size for tensor at dimension " + at + " is " + whole + " but size is " + size);
        }
        if (step <= 0) {
            throw new IllegalArgumentException("step is " + step + " but must be > 0");
        }
        long stride = rank == 0 ? 1 : layout.stride(at);
        long[] sizes = LongArrays.insert(shape.toArray(), rank, size);
        long[] strides = LongArrays.insert(layout.strides(), rank, stride);
        if (rank > 0) {
            sizes[at] = (whole - size) / step + 1;
            strides[at] = stride * step;
        }
        return new Layout(Shape.of(sizes), strides, layout.offset());
    }

    static long elementOffset(Layout layout, long... index) {
        Shape shape = layout.shape();
        if (index.length > shape.rank()) {
            throw new IndexOutOfBoundsException("too many indices for tensor of dimension " + shape.rank());
        }
        if (index.length < shape.rank()) {
            throw new IndexOutOfBoundsException("Cannot find element: index " + Arrays.toString(index) + " of shape "
                    + shape + "; give one index for each dimension");
        }
        long place = layout.offset();
        for (int dim = 0; dim < index.length; dim++) {
            long size = shape.size(dim);
            if (index[dim] < -size || index[dim] >= size) {
                throw new IndexOutOfBoundsException(
                        "index " + index[dim] + " is out of bounds for dimension " + dim + " with size " + size);
            }
            place += (index[dim] < 0 ? index[dim] + size : index[dim]) * layout.stride(dim);
        }
        return place;
    }

    private static void requireDimension(Layout layout, String operation) {
        if (layout.rank() == 0) {
            throw new IndexOutOfBoundsException(operation + "() cannot be applied to a 0-dim tensor.");
        }
    }
}
