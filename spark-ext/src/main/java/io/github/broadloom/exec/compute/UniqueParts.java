package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.lazy.UniqueValues.Inverse;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The distinct values of parts of a tensor, which come in any order. What came is merged where it is about as much, so that no value is merged often. */
final class UniqueParts {
    /** How many elements are sorted at a time. */
    private static final long PIECE = 1 << 20;

    private final DType dtype;
    private final Deque<UniqueValues> parts = new ArrayDeque<>();

    UniqueParts(DType dtype) {
        this.dtype = dtype;
    }

    private record Sent(Object values, long[] counts) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** In a task: the distinct values of its chunk. */
    static byte[] of(Tensor chunk) {
        UniqueParts own = new UniqueParts(chunk.dtype());
        Tensor line = chunk.reshape(-1);
        for (long first = 0; first < line.numel(); first += PIECE) {
            Cancellation.check();
            Tensor piece = line.narrow(0, first, Math.min(PIECE, line.numel() - first));
            own.push(UniqueValues.of(piece, Inverse.WITHOUT, 1));
        }
        line.releaseCopyOf(chunk);
        UniqueValues all = own.merged();
        Object values = array(all.values());
        return JavaBytes.of(new Sent(values, (long[]) array(all.counts())));
    }

    /** What {@link #of} made elsewhere. */
    void push(byte[] part) {
        Sent sent = JavaBytes.read(part, Sent.class);
        push(new UniqueValues(
                tensor(dtype, sent.values(), sent.counts().length),
                tensor(DType.INT64, sent.counts(), sent.counts().length),
                Optional.empty()));
    }

    private void push(UniqueValues part) {
        UniqueValues last = part;
        while (!parts.isEmpty()
                && parts.peek().values().numel() <= 2 * last.values().numel()) {
            last = joined(parts.pop(), last);
        }
        parts.push(last);
    }

    private static UniqueValues joined(UniqueValues one, UniqueValues other) {
        UniqueValues merged = UniqueValues.merged(one, other);
        one.release();
        other.release();
        return merged;
    }

    /** What all parts have together. */
    UniqueValues merged() {
        if (parts.isEmpty()) {
            Shape none = Shape.of(0);
            return new UniqueValues(Tensors.empty(dtype, none), Tensors.empty(DType.INT64, none), Optional.empty());
        }
        UniqueValues last = parts.pop();
        while (!parts.isEmpty()) {
            last = joined(parts.pop(), last);
        }
        return last;
    }

    /** The elements of a fresh tensor, which is released. */
    private static Object array(Tensor tensor) {
        Object array = tensor.dtype().primitive().newArray(Math.toIntExact(tensor.numel()));
        if (tensor.numel() > 0) {
            RawMemory.copy(null, tensor.address(), array, RawMemory.firstElement(array), sizeBytes(tensor));
        }
        tensor.release();
        return array;
    }

    private static Tensor tensor(DType dtype, Object array, int count) {
        Tensor tensor = Tensors.empty(dtype, Shape.of(count));
        if (count > 0) {
            RawMemory.copy(array, RawMemory.firstElement(array), null, tensor.address(), sizeBytes(tensor));
        }
        return tensor;
    }

    private static long sizeBytes(Tensor tensor) {
        return tensor.dtype().sizeBytes(tensor.numel());
    }
}
