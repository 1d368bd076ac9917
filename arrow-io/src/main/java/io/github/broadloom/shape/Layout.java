package io.github.broadloom.shape;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of a tensor lie in its storage: a shape, a stride for each dimension and the offset of the first
 * element, all counted in elements. Element {@code [i, j, …]} lies at {@code offset + i * stride(0) + j * stride(1) + …}.
 * A view is a new layout; views compose as they are made. A stride of 0 repeats.
 *
 * <p>The strides of every view, also of dimensions of size one and of empty tensors, are those of PyTorch. A dimension
 * may be negative, counting from the end; one out of range is an {@link IndexOutOfBoundsException} with PyTorch's text.
 */
public final class Layout implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Shape shape;
    private final long[] strides;
    private final long offset;

    /** Unchecked and uncopied: for the views of this package. */
    Layout(Shape shape, long[] strides, long offset) {
        this.shape = shape;
        this.strides = strides;
        this.offset = offset;
    }

    /** Row-major without gaps, from the start of the storage. */
    public static Layout contiguous(Shape shape) {
        return new Layout(shape, contiguousStrides(shape), 0);
    }

    /**
     * Any layout; strides and offset in elements, none negative.
     *
     * @throws IllegalArgumentException where the strides do not fit the shape, or a stride or the offset is negative
     */
    public static Layout of(Shape shape, long[] strides, long offset) {
        if (strides.length != shape.rank()) {
            throw new IllegalArgumentException("mismatch in length of strides and shape");
        }
        for (long stride : strides) {
            if (stride < 0) {
                throw new IllegalArgumentException(
                        "as_strided: Negative strides are not supported at the moment, got strides: "
                                + Arrays.toString(strides));
            }
        }
        if (offset < 0) {
            throw new IllegalArgumentException("Tensor: invalid storage offset " + offset);
        }
        Layout layout = new Layout(shape, strides.clone(), offset);
        layout.checkRange();
        return layout;
    }

    private void checkRange() {
        try {
            long last = offset;
            for (int dim = 0; dim < rank(); dim++) {
                last = Math.addExact(last, Math.multiplyExact(Math.max(shape.size(dim), 1) - 1, strides[dim]));
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "Storage size calculation overflowed with sizes=" + shape + " and strides="
                            + Arrays.toString(strides),
                    e);
        }
    }

    static long[] contiguousStrides(Shape shape) {
        long[] strides = new long[shape.rank()];
        long stride = 1;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            strides[dim] = stride;
            stride *= Math.max(shape.size(dim), 1);
        }
        return strides;
    }

    public Shape shape() {
        return shape;
    }

    public int rank() {
        return strides.length;
    }

    /** The stride of dimension {@code 0 <= dim < rank}, in elements. */
    public long stride(int dim) {
        return strides[dim];
    }

    /** The strides in elements, as a fresh array. */
    public long[] strides() {
        return strides.clone();
    }

    /** The place of the first element in the storage, in elements. */
    public long offset() {
        return offset;
    }

    /** Index {@code index} of one dimension, which goes away; a negative index counts from the end. */
    public Layout select(int dim, long index) {
        return Indexing.select(this, dim, index);
    }

    /** The indices of one dimension that a Python slice takes; null bounds are open, the step is positive. */
    public Layout slice(int dim, @Nullable Long start, @Nullable Long stop, long step) {
        return slice(dim, new Slice(start, stop, step));
    }

    public Layout slice(int dim, Slice slice) {
        return Indexing.slice(this, dim, slice);
    }

    /** {@code length} indices of one dimension from {@code start}, which may be negative. */
    public Layout narrow(int dim, long start, long length) {
        return Indexing.narrow(this, dim, start, length);
    }

    /** The dimensions in another order: dimension {@code d} of the result is dimension {@code dims[d]} of this. */
    public Layout permute(int... dims) {
        return Permuting.permute(this, dims);
    }

    public Layout transpose(int dim0, int dim1) {
        return Permuting.transpose(this, dim0, dim1);
    }

    /** The transpose of a matrix; a vector or a scalar stays as it is. */
    public Layout t() {
        return Permuting.t(this);
    }

    /** One dimension moved to another place; the others keep their order. */
    public Layout movedim(int source, int destination) {
        return Permuting.movedim(this, source, destination);
    }

    /** A new dimension of size one at {@code dim}, which counts over the new rank. */
    public Layout unsqueeze(int dim) {
        int at = Shape.normalizeDim(dim, rank() + 1);
        long stride = at < rank() ? shape.size(at) * strides[at] : 1;
        return new Layout(
                Shape.of(LongArrays.insert(shape.toArray(), at, 1)), LongArrays.insert(strides, at, stride), offset);
    }

    public Layout squeeze() {
        Layout squeezed = this;
        for (int dim = rank() - 1; dim >= 0; dim--) {
            squeezed = squeezed.squeeze(dim);
        }
        return squeezed;
    }

    /** Without that dimension where its size is one, else unchanged. */
    public Layout squeeze(int dim) {
        int at = shape.normalizeDim(dim);
        if (rank() == 0 || shape.size(at) != 1) {
            return this;
        }
        return new Layout(shape.without(at), LongArrays.without(strides, at), offset);
    }

    /** Dimensions of size one, and new leading ones, repeated to these sizes with stride 0; -1 keeps a size. */
    public Layout expand(long... sizes) {
        return Broadcasting.expand(this, sizes);
    }

    /** Repeated to that shape; see {@link #expand(long...)}. */
    public Layout expand(Shape target) {
        return shape.equals(target) ? this : expand(target.toArray());
    }

    /**
     * The same elements in another shape; one size may be -1.
     *
     * @throws IllegalArgumentException with PyTorch's text where the sizes do not fit, or only a copy could have them
     */
    public Layout view(long... sizes) {
        return tryView(inferShape(sizes))
                .orElseThrow(() -> new IllegalArgumentException("view size is not compatible with input tensor's size"
                        + " and stride (at least one dimension spans across two contiguous subspaces). Use"
                        + " .reshape(...) instead."));
    }

    /** The same elements in another shape of as many elements; empty where only a copy could have it. */
    public Optional<Layout> tryView(Shape target) {
        long[] viewed = Reshaping.strides(this, target);
        return viewed == null ? Optional.empty() : Optional.of(new Layout(target, viewed, offset));
    }

    /** The shape that these sizes mean for this many elements; one may be -1. */
    public Shape inferShape(long... sizes) {
        return Reshaping.infer(shape.numel(), sizes);
    }

    /** The sizes that flattening the dimensions from {@code startDim} to {@code endDim}, both included, gives. */
    public Shape flattenedShape(int startDim, int endDim) {
        return Reshaping.flattened(shape, startDim, endDim);
    }

    /** All windows of {@code size} indices of one dimension, {@code step} apart; a window's indices are a new last dimension. */
    public Layout unfold(int dim, long size, long step) {
        return Indexing.unfold(this, dim, size, step);
    }

    /** Whether the elements lie row-major without gaps; true of every empty tensor, whatever the offset. */
    public boolean isContiguous() {
        long expected = 1;
        for (int dim = rank() - 1; dim >= 0 && shape.numel() > 0; dim--) {
            if (shape.size(dim) != 1) {
                if (strides[dim] != expected) {
                    return false;
                }
                expected *= shape.size(dim);
            }
        }
        return true;
    }

    /** False only where no two indices can mean the same element. */
    public boolean mayOverlapItself() {
        if (shape.numel() < 2) {
            return false;
        }
        Integer[] byStride = IntStream.range(0, rank())
                .boxed()
                .filter(dim -> shape.size(dim) > 1)
                .sorted((a, b) -> Long.compare(strides[a], strides[b]))
                .toArray(Integer[]::new);
        long reach = 0; // of all narrower dimensions together
        for (int dim : byStride) {
            if (strides[dim] <= reach) {
                return true;
            }
            reach += (shape.size(dim) - 1) * strides[dim];
        }
        return false;
    }

    /** The lowest place in the storage that is used: the offset, because no stride is negative. */
    public long minElement() {
        return offset;
    }

    /** The highest place in the storage that is used; {@code minElement() - 1} where there is no element. */
    public long maxElement() {
        if (shape.numel() == 0) {
            return offset - 1;
        }
        long last = offset;
        for (int dim = 0; dim < rank(); dim++) {
            last += (shape.size(dim) - 1) * strides[dim];
        }
        return last;
    }

    /** The place of one element in the storage, in elements; an index may be negative, counting from the end. */
    public long elementOffset(long... index) {
        return Indexing.elementOffset(this, index);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layout that
                && offset == that.offset
                && shape.equals(that.shape)
                && Arrays.equals(strides, that.strides);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * shape.hashCode() + Arrays.hashCode(strides)) + Long.hashCode(offset);
    }

    @Override
    public String toString() {
        return "Layout(shape=" + shape + ", strides=" + Arrays.toString(strides) + ", offset=" + offset + ")";
    }
}
