package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.dtype.Primitive;
import io.github.broadloom.dtype.Promotion.Term;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Repetition;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * An n-dimensional array: a dtype, a layout and a storage. The handle is immutable; the elements are not, and views
 * share them: a write through one is seen through all.
 *
 * <p>The views never copy. {@link #reshape}, {@link #flatten} and {@link #contiguous} copy where they must,
 * {@link #repeat}, {@link #flip} and {@link #copy} always; names that end in {@code _} write to the elements. Names,
 * results and error texts are PyTorch's. Dimensions and indices may be negative, counting from the end.
 */
public final class Tensor implements TensorViews, TensorLike {
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

    @Override
    public Tensor asStrided(Layout view) {
        return of(dtype, view, storage);
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public Term term() {
        return Term.tensor(dtype, rank());
    }

    /** PyTorch's {@code Tensor.layout}: every element has its place. */
    public TensorLayout tensorLayout() {
        return TensorLayout.STRIDED;
    }

    public long numel() {
        return shape().numel();
    }

    /** The bytes, shared with every view. */
    public Storage storage() {
        return storage;
    }

    /**
     * Frees the memory, for this and every view of it: now, or as soon as what reads or writes it on other threads is done. Whatever begins to use it
     * afterwards is refused. Whatever is not released is freed when the collector finds that nobody refers to it.
     */
    public void release() {
        storage.release();
    }

    /** Frees what {@link #contiguous} or {@link #to(Device)} made of a tensor, where that is a copy and no view of it. */
    public void releaseCopyOf(Tensor original) {
        if (storage != original.storage) {
            release();
        }
    }

    /** The address of the first element, for the CPU; {@linkplain Hold hold} the tensor while using it. */
    public long address() {
        return storage.address() + layout.offset() * dtype.bytes();
    }

    /** The address of the first element in the memory of {@link #device()}. */
    public long deviceAddress() {
        return storage.deviceAddress() + layout.offset() * dtype.bytes();
    }

    public Device device() {
        return storage.device();
    }

    /**
     * This where it is on that device already, else a copy there, row-major without gaps.
     *
     * @throws IllegalStateException with the reason, where the device cannot be used here
     */
    public Tensor to(Device target) {
        return Transfers.to(this, target);
    }

    /** Whether the elements lie row-major without gaps. */
    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /** The same elements in another shape, one size may be -1: a view where one is possible, else a copy. */
    public Tensor reshape(long... sizes) {
        Shape target = layout.inferShape(sizes);
        return layout.tryView(target).map(this::asStrided).orElseGet(() -> copy().view(target.toArray()));
    }

    /** One dimension: a view where one is possible, else a copy. */
    public Tensor flatten() {
        return flatten(0, -1);
    }

    /**
     * The dimensions from {@code startDim} to {@code endDim}, both included, as one: a view where possible, else a
     * copy.
     */
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

    /**
     * A copy, as large as it looks, that repeats the whole along each dimension, with new leading dimensions where
     * there are more counts. {@link #expand(long...)} repeats without copying.
     */
    public Tensor repeat(long... repeats) {
        return Copies.repeat(this, Repetition.of(shape(), repeats));
    }

    /** A copy as {@link #repeat}, where counts may be fewer than dimensions: the missing leading ones are one. */
    public Tensor tile(long... repeats) {
        return Copies.repeat(this, Repetition.ofTiles(shape(), repeats));
    }

    /** A copy that repeats each index of one dimension, {@code [1, 2]} twice as {@code [1, 1, 2, 2]}. */
    public Tensor repeatInterleave(long repeats, int dim) {
        return Copies.repeatInterleave(this, repeats, dim);
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

    /** A copy of the elements that are not zero: {@link SparseTensor#fromDense(Tensor)}. */
    public SparseTensor toSparse() {
        return SparseTensor.fromDense(this);
    }

    /**
     * Overwrites the elements with those of another tensor, cast and broadcast. The two may share memory: the result is
     * as if the source had been copied first.
     *
     * @return this
     * @throws IllegalArgumentException with PyTorch's text, where elements of this share a place, or the shapes do not go
     *     together, or with NumPy's, where this shares a read-only buffer; nothing is written then
     */
    public Tensor copy_(Tensor source) {
        Copies.copyInto(source, this);
        return this;
    }

    /**
     * Overwrites every element with a Boolean, an integer or a floating number.
     *
     * @return this
     * @throws IllegalArgumentException where the dtype cannot hold it
     */
    public Tensor fill_(Object value) {
        Tensor scalar = Tensors.scalar(value, dtype);
        try {
            Copies.fillWith(scalar, this);
        } finally {
            scalar.release();
        }
        return this;
    }

    /**
     * Overwrites every element with that of a zero-dim tensor, cast.
     *
     * @return this
     * @throws IllegalArgumentException with PyTorch's text, where the value has a dimension
     */
    public Tensor fill_(Tensor value) {
        if (value.rank() > 0) {
            throw new IllegalArgumentException("fill_ only supports 0-dimension value tensor but got tensor with "
                    + value.rank() + " dimensions.");
        }
        Tensor cast = value.to(dtype);
        try {
            Copies.fillWith(cast, this);
        } finally {
            if (cast != value) {
                cast.release();
            }
        }
        return this;
    }

    /**
     * Overwrites every element with zero.
     *
     * @return this
     */
    public Tensor zero_() {
        return fill_(0L);
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
        if (!device().isCpu()) {
            return only(index).to(Device.CPU).get();
        }
        storage.hold();
        try {
            return Elements.read(dtype, addressOf(index));
        } finally {
            storage.letGo();
        }
    }

    /** One element as a double; a bool is 0 or 1, and a large int64 is rounded. */
    public double getDouble(long... index) {
        Object value = get(index);
        return value instanceof Boolean bool ? (bool ? 1 : 0) : ((Number) value).doubleValue();
    }

    /** One element of an integer or bool tensor. */
    public long getLong(long... index) {
        HeapCopies.refuseChange(this, "long", DType.INT64.holds(dtype));
        Object value = get(index);
        return value instanceof Boolean bool ? (bool ? 1 : 0) : ((Number) value).longValue();
    }

    /**
     * Overwrites one element with a Boolean, an integer or a floating number. One past the range of float16 becomes
     * infinite, as in PyTorch.
     *
     * @throws IllegalArgumentException where any other dtype cannot hold it, or this shares a read-only buffer
     */
    public void set(Object value, long... index) {
        if (!dtype.isReducedFloatingPoint()) {
            Fitting.check(dtype, value);
        }
        if (!device().isCpu()) {
            only(index).fill_(value);
            return;
        }
        storage.requireWritable();
        storage.hold();
        try {
            Elements.write(dtype, addressOf(index), value);
            storage.markWritten();
        } finally {
            storage.letGo();
        }
    }

    private Tensor only(long... index) {
        return asStrided(Layout.of(Shape.SCALAR, new long[0], layout.elementOffset(index)));
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
        return (float[]) HeapCopies.array(this, DType.FLOAT32);
    }

    /** All elements in row-major order; of a dtype that double holds exactly. */
    public double[] toDoubleArray() {
        return (double[]) HeapCopies.array(this, DType.FLOAT64);
    }

    /** All elements in row-major order; of an integer dtype, or bool as 0 and 1. */
    public long[] toLongArray() {
        return (long[]) HeapCopies.array(this, DType.INT64);
    }

    /** All elements in row-major order; of an integer dtype up to int32, or bool as 0 and 1. */
    public int[] toIntArray() {
        return (int[]) HeapCopies.array(this, DType.INT32);
    }

    /** All elements in row-major order; of a two-byte dtype: int16, or the bits of float16. */
    public short[] toShortArray() {
        return (short[]) HeapCopies.bits(this, Primitive.SHORT);
    }

    /** All elements in row-major order; of a one-byte dtype: int8, the bits of uint8, or bool as 0 and 1. */
    public byte[] toByteArray() {
        return (byte[]) HeapCopies.bits(this, Primitive.BYTE);
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
