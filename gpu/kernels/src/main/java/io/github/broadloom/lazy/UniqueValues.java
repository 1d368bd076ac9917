package io.github.broadloom.lazy;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The distinct values of a tensor, as {@code torch.unique} gives them: sorted, and of NaN each by itself. Of both zeros, which are one value, it is 0.0.
 *
 * @param values the smallest first, of the tensor's dtype
 * @param counts how often each of them stands in the tensor, in int64
 * @param places which of them each element is, in int64 and the tensor's shape, where that was asked for; of slices a vector
 */
public record UniqueValues(Tensor values, Tensor counts, Optional<Tensor> places) {
    /** PyTorch's {@code return_inverse}. */
    public enum Inverse {
        WITH,
        WITHOUT
    }

    /**
     * Which of the values each element is.
     *
     * @throws IllegalStateException where it was not asked for
     */
    public Tensor inverse() {
        return places.orElseThrow(() -> new IllegalStateException(
                "Cannot tell which of the unique values each element is: that was not asked for; take unique(Inverse.WITH) of a local"
                        + " tensor, and of a distributed one x.inverse(x.unique())"));
    }

    /** The distinct values of a tensor of this JVM's memory, and how often they stand there. */
    public static UniqueValues of(Tensor tensor, Inverse inverse, int threads) {
        return of(tensor, null, inverse, threads);
    }

    /**
     * The distinct slices along a dimension, in the order of their elements, how often they stand there, and which of them each slice is.
     *
     * @throws IllegalArgumentException with PyTorch's text, where slices have no elements
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static UniqueValues of(Tensor tensor, int dim, Inverse inverse, int threads) {
        return UniqueSlices.of(tensor, dim, inverse, threads);
    }

    /**
     * The dimension, counted from 0, along which a tensor of that shape has slices.
     *
     * @throws IllegalArgumentException with PyTorch's text, where slices have no elements
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static int dimOfSlices(Shape shape, int dim) {
        return UniqueSlices.along(shape, dim);
    }

    /** These, whose values are slices along the first dimension, with the slices along another one; the same memory is freed with either. */
    public UniqueValues along(int dim) {
        Tensor moved = values.movedim(0, dim).contiguous();
        if (moved.storage() != values.storage()) {
            values.release();
        }
        return new UniqueValues(moved, counts, places);
    }

    /**
     * The distinct slices along the first dimension of what these are parts of, how often they stand there, and which of them each slice of the whole is.
     *
     * @param parts the distinct slices of each part, along the first dimension and with the places of its slices, in the order of the parts
     */
    public static UniqueValues joined(List<UniqueValues> parts, int threads) {
        return UniqueSlices.joined(parts, threads);
    }

    /** What parts of a tensor have together. */
    public static UniqueValues merged(UniqueValues one, UniqueValues other) {
        Tensor values = evaluated(Expr.concat(List.of(Input.of(one.values), Input.of(other.values)), 0), 1);
        Tensor counts = evaluated(Expr.concat(List.of(Input.of(one.counts), Input.of(other.counts)), 0), 1);
        try {
            return of(values, counts, Inverse.WITHOUT, 1);
        } finally {
            values.release();
            counts.release();
        }
    }

    /** @param weights how often each element counts; once where there are none */
    private static UniqueValues of(Tensor tensor, @Nullable Tensor weights, Inverse inverse, int threads) {
        Tensor line = tensor.reshape(-1);
        ValuesAndIndices<Expr> both = Lines.sort(Input.of(line), Order.ASCENDING, 0);
        Tensor sorted = evaluated(both.values(), threads);
        Tensor order =
                evaluated(weights == null && inverse == Inverse.WITHOUT ? empty().expr() : both.indices(), threads);
        Tensor differs = differs(sorted, threads);
        try (Hold held = Hold.of(List.of(sorted, order, differs))) {
            return new Runs(sorted, order, differs, weights).unique(inverse, tensor.shape());
        } finally {
            sorted.release();
            order.release();
            differs.release();
            line.releaseCopyOf(tensor);
        }
    }

    private static LazyTensor empty() {
        return LazyTensor.of(Tensors.empty(DType.INT64, Shape.of(0)));
    }

    private static Tensor evaluated(Expr expr, int threads) {
        return Devices.backend(Device.CPU).evaluate(expr, threads);
    }

    /** Whether a value is another than the one before it, for all but the first. */
    private static Tensor differs(Tensor sorted, int threads) {
        long more = Math.max(0, sorted.numel() - 1);
        Expr after = Input.of(sorted.narrow(0, sorted.numel() - more, more));
        return evaluated(Expr.apply(Ops.NE, after, Input.of(sorted.narrow(0, 0, more))), threads);
    }

    /** The runs of equal values in a sorted line. */
    private record Runs(
            Tensor sorted,
            Tensor order,
            Tensor differs,
            @Nullable Tensor weights) {
        private boolean begins(long at) {
            return at == 0 || RawMemory.getByte(differs.address() + at - 1) != 0;
        }

        private long count() {
            long count = 0;
            for (long at = 0; at < sorted.numel(); at++) {
                count += begins(at) ? 1 : 0;
            }
            return count;
        }

        UniqueValues unique(Inverse inverse, Shape shape) {
            Shape found = Shape.of(count());
            Tensor values = Tensors.empty(sorted.dtype(), found);
            Tensor counts = Tensors.zeros(found, DType.INT64);
            Optional<Tensor> places =
                    inverse == Inverse.WITH ? Optional.of(Tensors.empty(DType.INT64, shape)) : Optional.empty();
            int bytes = sorted.dtype().bytes();
            BoxCopy element = new BoxCopy(bytes, List.of());
            long run = -1;
            for (long at = 0; at < sorted.numel(); at++) {
                if (begins(at)) {
                    run++;
                    element.copy(null, sorted.address() + at * bytes, null, values.address() + run * bytes);
                }
                long count = counts.address() + run * Long.BYTES;
                RawMemory.putLong(count, RawMemory.getLong(count) + weight(at));
                if (places.isPresent()) {
                    RawMemory.putLong(places.get().address() + place(at) * Long.BYTES, run);
                }
            }
            return new UniqueValues(withOneZero(values), counts, places);
        }

        private long place(long at) {
            return RawMemory.getLong(order.address() + at * Long.BYTES);
        }

        private long weight(long at) {
            return weights == null ? 1 : RawMemory.getLong(weights.address() + place(at) * Long.BYTES);
        }
    }

    /** The values with 0.0 for both zeros; others are released. */
    static Tensor withOneZero(Tensor values) {
        if (!values.dtype().isFloatingPoint()) {
            return values;
        }
        Tensor one = evaluated(Expr.apply(Ops.ADD, Input.of(values), Expr.literal(0)), 1);
        values.release();
        return one;
    }

    /** Frees the memory of all of them. */
    public void release() {
        values.release();
        counts.release();
        places.ifPresent(Tensor::release);
    }
}
