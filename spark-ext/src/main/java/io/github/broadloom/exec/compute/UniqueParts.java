package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.lazy.UniqueValues.Inverse;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The distinct values of parts of a tensor, which come in any order. What came is merged where it is about as much, so that no value is merged often. */
final class UniqueParts {
    /** How many elements are sorted at a time. */
    private static final long PIECE = 1 << 20;

    private static final Shape NONE = Shape.of(0);

    private final DType dtype;
    private final Deque<UniqueValues> parts = new ArrayDeque<>();

    UniqueParts(DType dtype) {
        this.dtype = dtype;
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
        return SentUnique.bytes(own.merged());
    }

    /** What {@link #of} made elsewhere. */
    void push(byte[] part) {
        push(SentUnique.read(part, dtype, NONE));
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
            return new UniqueValues(Tensors.empty(dtype, NONE), Tensors.empty(DType.INT64, NONE), Optional.empty());
        }
        UniqueValues last = parts.pop();
        while (!parts.isEmpty()) {
            last = joined(parts.pop(), last);
        }
        return last;
    }
}
