package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Makes tensors. Where no dtype is named, numbers that are written ({@code of}, {@code full}, {@code scalar}, {@code arange}) take PyTorch's default, of
 * whichever type Java has them: int64 for integers, float32 for floating numbers, bool for booleans. Arrays ({@code copyOf}) keep the type of their
 * elements, as NumPy's do in PyTorch: a {@code double[]} is float64, an {@code int[]} int32. So {@code of} takes no array for which the two differ.
 */
public final class Tensors {
    private Tensors() {}

    /** Uninitialised. */
    public static Tensor empty(DType dtype, Shape shape) {
        return Tensor.of(dtype, Layout.contiguous(shape), Storage.allocate(dtype.sizeBytes(shape.numel())));
    }

    /** Uninitialised, on a device. */
    public static Tensor empty(DType dtype, Shape shape, Device device) {
        if (device.isCpu()) {
            return empty(dtype, shape);
        }
        Storage storage = Transfers.memory(device).allocate(device, dtype.sizeBytes(shape.numel()));
        return Tensor.of(dtype, Layout.contiguous(shape), storage);
    }

    /** Zeros, float32. */
    public static Tensor zeros(long... shape) {
        return zeros(Shape.of(shape), DType.FLOAT32);
    }

    public static Tensor zeros(Shape shape, DType dtype) {
        Storage storage = Storage.allocateZeroed(dtype.sizeBytes(shape.numel()));
        return Tensor.of(dtype, Layout.contiguous(shape), storage);
    }

    /** Ones, float32. */
    public static Tensor ones(long... shape) {
        return ones(Shape.of(shape), DType.FLOAT32);
    }

    public static Tensor ones(Shape shape, DType dtype) {
        return full(shape, 1L, dtype);
    }

    /** One value (Boolean, an integer or a floating number) everywhere, of its default dtype. */
    public static Tensor full(Shape shape, Object value) {
        return full(shape, value, defaultDType(value));
    }

    /**
     * One value (Boolean, an integer or a floating number) everywhere.
     *
     * @throws IllegalArgumentException where the dtype cannot hold it
     */
    public static Tensor full(Shape shape, Object value, DType dtype) {
        Tensor tensor = empty(dtype, shape);
        tensor.fill_(value);
        return tensor;
    }

    /** A zero-dim tensor of the value's default dtype. */
    public static Tensor scalar(Object value) {
        return scalar(value, defaultDType(value));
    }

    /**
     * A zero-dim tensor.
     *
     * @throws IllegalArgumentException where the dtype cannot hold the value
     */
    public static Tensor scalar(Object value, DType dtype) {
        Tensor tensor = empty(dtype, Shape.SCALAR);
        tensor.set(value);
        return tensor;
    }

    private static DType defaultDType(Object value) {
        return Promotion.resultType(List.of(Promotion.Term.number(value)));
    }

    /** A vector, float32. */
    public static Tensor of(float... values) {
        return copyOf(values);
    }

    /** A vector, float32; {@link #copyOf(double[], long...)} keeps float64. */
    public static Tensor of(double first, double... others) {
        return floating(1 + others.length, DType.FLOAT32, i -> i == 0 ? first : others[(int) i - 1]);
    }

    /** A vector, int64; {@link #copyOf(int[], long...)} keeps int32. */
    public static Tensor of(int first, int... others) {
        return copyOf(IntStream.concat(IntStream.of(first), IntStream.of(others))
                .asLongStream()
                .toArray());
    }

    /** A vector, int64. */
    public static Tensor of(long... values) {
        return copyOf(values);
    }

    /** A vector, bool. */
    public static Tensor of(boolean... values) {
        return copyOf(values);
    }

    /** float32; without sizes a vector. */
    public static Tensor copyOf(float[] data, long... shape) {
        return copy(DType.FLOAT32, data, data.length, shape);
    }

    /** float64; without sizes a vector. */
    public static Tensor copyOf(double[] data, long... shape) {
        return copy(DType.FLOAT64, data, data.length, shape);
    }

    /** int64; without sizes a vector. */
    public static Tensor copyOf(long[] data, long... shape) {
        return copy(DType.INT64, data, data.length, shape);
    }

    /** int32; without sizes a vector. */
    public static Tensor copyOf(int[] data, long... shape) {
        return copy(DType.INT32, data, data.length, shape);
    }

    /** int16; without sizes a vector. */
    public static Tensor copyOf(short[] data, long... shape) {
        return copy(DType.INT16, data, data.length, shape);
    }

    /** int8; without sizes a vector. */
    public static Tensor copyOf(byte[] data, long... shape) {
        return copy(DType.INT8, data, data.length, shape);
    }

    /** bool; without sizes a vector. */
    public static Tensor copyOf(boolean[] data, long... shape) {
        byte[] bytes = new byte[data.length];
        for (int i = 0; i < data.length; i++) {
            bytes[i] = (byte) (data[i] ? 1 : 0);
        }
        return copy(DType.BOOL, bytes, bytes.length, shape);
    }

    private static Tensor copy(DType dtype, Object array, int length, long... shape) {
        Shape sizes = shape.length == 0 ? Shape.of(length) : Shape.of(shape);
        if (sizes.numel() != length) {
            throw new IllegalArgumentException("shape '" + sizes + "' is invalid for input of size " + length);
        }
        Tensor tensor = empty(dtype, sizes);
        RawMemory.copy(array, 0, tensor.address(), length);
        Reference.reachabilityFence(tensor);
        return tensor;
    }

    /** {@code 0, 1, …} below {@code end}, int64. */
    public static Tensor arange(long end) {
        return arange(0, end, 1);
    }

    /** From {@code start} in steps, {@code end} excluded, int64. */
    public static Tensor arange(long start, long end, long step) {
        return arange(start, end, step, DType.INT64);
    }

    /** From {@code start} in steps, {@code end} excluded, float32. */
    public static Tensor arange(double start, double end, double step) {
        return arange(start, end, step, DType.FLOAT32);
    }

    /** From {@code start} in steps, {@code end} excluded; the elements are computed in int64 and then cast. */
    public static Tensor arange(long start, long end, long step, DType dtype) {
        return Progression.arange(start, end, step, dtype).elements();
    }

    /** From {@code start} in steps, {@code end} excluded; the elements are computed in float64 and then rounded. */
    public static Tensor arange(double start, double end, double step, DType dtype) {
        return Progression.arange(start, end, step, dtype).elements();
    }

    /** {@code steps} numbers evenly from {@code start} to {@code end}, both included, float32. */
    public static Tensor linspace(double start, double end, long steps) {
        return linspace(start, end, steps, DType.FLOAT32);
    }

    /**
     * {@code steps} numbers evenly from {@code start} to {@code end}, both included. As in PyTorch the second half is
     * counted back from the end, so both ends are exact. Computed in float64 and then cast, where PyTorch computes in the
     * dtype itself, so that the last bits may differ.
     */
    public static Tensor linspace(double start, double end, long steps, DType dtype) {
        return Progression.linspace(start, end, steps, dtype).elements();
    }

    /** {@code [n, n]} with ones where both indices are the same, else zeros, float32. */
    public static Tensor eye(long n) {
        return eye(n, n, DType.FLOAT32);
    }

    /**
     * {@code [n, m]} with ones where both indices are the same, else zeros.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative size
     */
    public static Tensor eye(long n, long m, DType dtype) {
        checkEye(n, m);
        Tensor tensor = zeros(Shape.of(n, m), dtype);
        Layout diagonal = Layout.of(Shape.of(Math.min(n, m)), new long[] {m + 1}, 0);
        Tensor.of(dtype, diagonal, tensor.storage()).fill_(1L);
        return tensor;
    }

    /** @throws IllegalArgumentException with PyTorch's text, for a negative size */
    public static void checkEye(long n, long m) {
        if (n < 0 || m < 0) {
            throw new IllegalArgumentException(
                    (n < 0 ? "n" : "m") + " must be greater or equal to 0, got " + (n < 0 ? n : m));
        }
    }

    private static Tensor floating(long count, DType dtype, LongToDoubleFunction element) {
        return ofDoubles(dtype, Shape.of(count), (first, values, length) -> {
            for (int i = 0; i < length; i++) {
                values[i] = element.applyAsDouble(first + i);
            }
        });
    }

    /**
     * Computes neighbours, in row-major order, of a tensor that is made.
     *
     * @param <A> {@code double[]} or {@code long[]}
     */
    public interface Run<A> {
        /** Sets the first {@code count} values to those of the elements from {@code first} on. */
        void fill(long first, A values, int count);
    }

    /** A tensor whose elements are computed in float64, run by run, and cast. */
    public static Tensor ofDoubles(DType dtype, Shape shape, Run<double[]> run) {
        Tensor tensor = empty(dtype, shape);
        Elements.generateDoubles(dtype, tensor.address(), shape.numel(), run);
        Reference.reachabilityFence(tensor);
        return tensor;
    }

    /** A tensor whose elements are computed in int64, run by run, and cast. */
    public static Tensor ofLongs(DType dtype, Shape shape, Run<long[]> run) {
        Tensor tensor = empty(dtype, shape);
        Elements.generateLongs(dtype, tensor.address(), shape.numel(), run);
        Reference.reachabilityFence(tensor);
        return tensor;
    }

    /**
     * Shares a direct or memory-mapped buffer from its position, row-major and in native byte order, without copying: see
     * {@link Storage#wrap(ByteBuffer)}.
     *
     * @throws IllegalArgumentException where it is on the heap or too small
     */
    public static Tensor wrap(ByteBuffer direct, DType dtype, Shape shape) {
        return Tensor.of(dtype, Layout.contiguous(shape), Storage.wrap(direct));
    }

    /**
     * A tensor over a storage given as a flat list: Booleans, numbers, or the strings {@code NaN}, {@code Infinity},
     * {@code -Infinity} and {@code -0.0} that JSON has no number for.
     */
    public static Tensor fromStorageValues(DType dtype, Layout layout, List<?> values) {
        Storage storage = Storage.allocate(dtype.sizeBytes(values.size()));
        long address = storage.address();
        for (Object value : values) {
            Elements.write(dtype, address, value instanceof String text ? Double.valueOf(text) : value);
            address += dtype.bytes();
        }
        return Tensor.of(dtype, layout, storage);
    }

    /**
     * Views of the tensors, all of their common shape: {@code torch.broadcast_tensors}.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the shapes do not broadcast
     */
    public static List<Tensor> broadcastTensors(Tensor... tensors) {
        Shape common = Broadcasting.broadcastShapes(
                Arrays.stream(tensors).map(Tensor::shape).toArray(Shape[]::new));
        return Arrays.stream(tensors).map(tensor -> tensor.expand(common)).toList();
    }
}
