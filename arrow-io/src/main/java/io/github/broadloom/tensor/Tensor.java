package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An n-dimensional array: a dtype, a layout and a storage. The handle is immutable; the elements are not, and views
 * share them: a write through one is seen through all.
 *
 * <p>The views never copy. {@link #reshape}, {@link #flatten} and {@link #contiguous} copy where they must,
 * {@link #repeat}, {@link #flip} and {@link #copy} always. Names, results and error texts are PyTorch's. Dimensions and
 * indices may be negative, counting from the end.
 */
public final class Tensor {
    private final DType dtype;
    private final Layout layout;
    private final Storage storage;

    private Tensor(DType dtype, Layout layout, Storage storage) {
        this.dtype = dtype;
        this.layout = layout;
        this.storage = storage;
    }

    /**
     * A tensor over a storage, which it shares.
     *
     * @throws IllegalArgumentException where the layout reaches past the storage
     */
    public static Tensor of(DType dtype, Layout layout, Storage storage) {
        long neededBytes = dtype.sizeBytes(Math.addExact(layout.maxElement(), 1));
        if (layout.shape().numel() > 0 && neededBytes > storage.sizeBytes()) {
            throw new IllegalArgumentException("setStorage: sizes " + layout.shape() + ", strides "
                    + Arrays.toString(layout.strides()) + ", storage offset " + layout.offset() + ", and itemsize "
                    + dtype.bytes() + " requiring a storage size of " + neededBytes
                    + " are out of bounds for storage of size " + storage.sizeBytes());
        }
        return new Tensor(dtype, layout, storage);
    }

    private Tensor with(Layout view) {
        return new Tensor(dtype, view, storage);
    }

    /** The element type. */
    public DType dtype() {
        return dtype;
    }

    /** Where the elements lie in the storage. */
    public Layout layout() {
        return layout;
    }

    /** The sizes. */
    public Shape shape() {
        return layout.shape();
    }

    /** The number of dimensions. */
    public int rank() {
        return layout.rank();
    }

    /** The number of elements. */
    public long numel() {
        return shape().numel();
    }

    /** The bytes, shared with every view. */
    public Storage storage() {
        return storage;
    }

    /** The address of the first element; keep the tensor reachable while using it. */
    public long address() {
        return storage.address() + layout.offset() * dtype.bytes();
    }

    /** Whether the elements lie row-major without gaps. */
    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /** View: {@link Layout#select}. */
    public Tensor select(int dim, long index) {
        return with(layout.select(dim, index));
    }

    /** View: {@link Layout#slice(int, Long, Long, long)}. */
    public Tensor slice(int dim, @Nullable Long start, @Nullable Long stop, long step) {
        return with(layout.slice(dim, start, stop, step));
    }

    /** View: {@link Layout#slice(int, Slice)}. */
    public Tensor slice(int dim, Slice slice) {
        return with(layout.slice(dim, slice));
    }

    /** View: one slice for each leading dimension, as {@code t[a:b, c:d]}. */
    public Tensor index(Slice... slices) {
        if (slices.length > rank()) {
            throw new IndexOutOfBoundsException("too many indices for tensor of dimension " + rank());
        }
        Layout view = layout;
        for (int dim = 0; dim < slices.length; dim++) {
            view = view.slice(dim, slices[dim]);
        }
        return with(view);
    }

    /** View: {@link Layout#narrow}. */
    public Tensor narrow(int dim, long start, long length) {
        return with(layout.narrow(dim, start, length));
    }

    /** View: {@link Layout#permute}. */
    public Tensor permute(int... dims) {
        return with(layout.permute(dims));
    }

    /** View: {@link Layout#transpose}. */
    public Tensor transpose(int dim0, int dim1) {
        return with(layout.transpose(dim0, dim1));
    }

    /** View: {@link Layout#t}. */
    public Tensor t() {
        return with(layout.t());
    }

    /** View: {@link Layout#movedim}. */
    public Tensor movedim(int source, int destination) {
        return with(layout.movedim(source, destination));
    }

    /** View: {@link Layout#unsqueeze}. */
    public Tensor unsqueeze(int dim) {
        return with(layout.unsqueeze(dim));
    }

    /** View: {@link Layout#squeeze()}. */
    public Tensor squeeze() {
        return with(layout.squeeze());
    }

    /** View: {@link Layout#squeeze(int)}. */
    public Tensor squeeze(int dim) {
        return with(layout.squeeze(dim));
    }

    /** View: {@link Layout#expand(long...)}. */
    public Tensor expand(long... sizes) {
        if (sizes.length < rank()) {
            throw new IllegalArgumentException("expand(torch." + dtype.typeName() + "Tensor{" + shape() + "}, size="
                    + Arrays.toString(sizes) + "): the number of sizes provided (" + sizes.length
                    + ") must be greater or equal to the number of dimensions in the tensor (" + rank() + ")");
        }
        return with(layout.expand(sizes));
    }

    /** View: repeated to that shape, as {@link #expand(long...)}. */
    public Tensor expand(Shape target) {
        return expand(target.toArray());
    }

    /** View: repeated to the other's shape, as {@link #expand(long...)}. */
    public Tensor expandAs(Tensor other) {
        return expand(other.shape());
    }

    /** View: {@link Layout#view}. */
    public Tensor view(long... sizes) {
        return with(layout.view(sizes));
    }

    /** View: {@link Layout#unfold}. */
    public Tensor unfold(int dim, long size, long step) {
        return with(layout.unfold(dim, size, step));
    }

    /** The same elements in another shape, one size may be -1: a view where one is possible, else a copy. */
    public Tensor reshape(long... sizes) {
        Shape target = layout.inferShape(sizes);
        return layout.tryView(target).map(this::with).orElseGet(() -> copy().view(target.toArray()));
    }

    /** One dimension: a view where one is possible, else a copy. */
    public Tensor flatten() {
        return flatten(0, -1);
    }

    /** The dimensions from {@code startDim} to {@code endDim}, both included, as one: a view where possible, else a copy. */
    public Tensor flatten(int startDim, int endDim) {
        return reshape(layout.flattenedShape(startDim, endDim).toArray());
    }

    /** This where it is contiguous, else a copy. */
    public Tensor contiguous() {
        return isContiguous() ? this : copy();
    }

    /** A copy, row-major without gaps. */
    public Tensor copy() {
        return Copies.copy(this);
    }

    /** A copy that repeats the whole along each dimension, with new leading dimensions where there are more counts. */
    public Tensor repeat(long... repeats) {
        return Copies.repeat(this, repeats);
    }

    /** A copy with the order along these dimensions reversed. */
    public Tensor flip(int... dims) {
        return Copies.flip(this, dims);
    }

    /**
     * This where the dtype is the same, else a copy cast as C does on x86: integers wrap, floating numbers lose their
     * fraction, anything but zero is true, and float64 goes to float16 by way of float32.
     */
    public Tensor to(DType target) {
        return Copies.cast(this, target);
    }

    /** Overwrites the elements with those of another tensor, cast and broadcast; the two may overlap. */
    public void assign(Tensor source) {
        Copies.copyInto(source, this);
    }

    /**
     * The only element, as Boolean, Long or Double.
     *
     * @throws IllegalArgumentException where there are more, or none
     */
    public Object item() {
        if (numel() != 1) {
            throw new IllegalArgumentException("a Tensor with " + numel() + " elements cannot be converted to Scalar");
        }
        return get(new long[rank()]);
    }

    /** One element, as Boolean, Long or Double. */
    public Object get(long... index) {
        Object value = Elements.read(dtype, addressOf(index));
        Reference.reachabilityFence(this);
        return value;
    }

    /** One element as a double; a bool is 0 or 1, and a large int64 is rounded. */
    public double getDouble(long... index) {
        Object value = get(index);
        return value instanceof Boolean bool ? (bool ? 1 : 0) : ((Number) value).doubleValue();
    }

    /** One element of an integer or bool tensor. */
    public long getLong(long... index) {
        HeapCopies.refuseChange(this, "long", Promotion.canCast(dtype, DType.INT64));
        Object value = get(index);
        return value instanceof Boolean bool ? (bool ? 1 : 0) : ((Number) value).longValue();
    }

    /**
     * Overwrites one element with a Boolean, an integer or a floating number. One past the range of float16 becomes
     * infinite, as in PyTorch.
     *
     * @throws IllegalArgumentException where any other dtype cannot hold it
     */
    public void set(Object value, long... index) {
        if (dtype != DType.FLOAT16) {
            Fitting.check(dtype, value);
        }
        Elements.write(dtype, addressOf(index), value);
        Reference.reachabilityFence(this);
    }

    private long addressOf(long... index) {
        return storage.address() + layout.elementOffset(index) * dtype.bytes();
    }

    /** All elements in row-major order, as Boolean, Long or Double. */
    public List<Object> values() {
        return HeapCopies.values(this);
    }

    /** All elements in row-major order; of a dtype that float holds exactly. */
    public float[] toFloatArray() {
        return HeapCopies.floats(this);
    }

    /** All elements in row-major order; of a dtype that double holds exactly. */
    public double[] toDoubleArray() {
        return HeapCopies.doubles(this);
    }

    /** All elements in row-major order; of an integer dtype, or bool as 0 and 1. */
    public long[] toLongArray() {
        return HeapCopies.longs(this);
    }

    /** All elements in row-major order; of an integer dtype up to int32, or bool as 0 and 1. */
    public int[] toIntArray() {
        return HeapCopies.ints(this);
    }

    /** All elements in row-major order; of a two-byte dtype: int16, or the bits of float16. */
    public short[] toShortArray() {
        return HeapCopies.shorts(this);
    }

    /** All elements in row-major order; of a one-byte dtype: int8, the bits of uint8, or bool as 0 and 1. */
    public byte[] toByteArray() {
        return HeapCopies.bytes(this);
    }

    /** All elements of a bool tensor in row-major order. */
    public boolean[] toBooleanArray() {
        return HeapCopies.booleans(this);
    }

    /** As PyTorch prints a tensor, less {@code torch.} before the dtype; large ones are summarised. */
    @Override
    public String toString() {
        return TensorPrinter.print(this);
    }
}
