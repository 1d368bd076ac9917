package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The tensor that this JVM puts together from {@linkplain BroadcastPiece pieces}, once for all of its tasks and in memory of its own size: it is there as long as a task or a
 * piece refers to it.
 */
final class Assembly {
    private static final Map<UUID, WeakReference<Assembly>> KNOWN = new HashMap<>();

    private final Tensor tensor;
    /** The elements of each piece that arrived, by its number. */
    private final Map<Integer, Long> arrived = new TreeMap<>();

    private Assembly(Tensor tensor) {
        this.tensor = tensor;
    }

    /** That of a tensor, by the tensor's own name: who asks first begins it. */
    static Assembly of(UUID whole, DType dtype, Shape shape) {
        synchronized (KNOWN) {
            KNOWN.values().removeIf(known -> known.refersTo(null));
            WeakReference<Assembly> known = KNOWN.get(whole);
            Assembly found = known == null ? null : known.get();
            if (found == null) {
                found = new Assembly(MemoryMeter.uncounted(() -> Tensors.empty(dtype, shape)));
                KNOWN.put(whole, new WeakReference<>(found));
            }
            return found;
        }
    }

    /** The whole, in which the elements that have not arrived are garbage. */
    Tensor tensor() {
        return tensor;
    }

    /** Whether a piece is in its place. One that comes again, from Spark's disk, must not be written again: tasks may be reading. */
    synchronized boolean has(int number) {
        return arrived.containsKey(number);
    }

    synchronized void add(int number, long elements) {
        arrived.put(number, elements);
    }

    synchronized boolean isWhole() {
        return elements() == tensor.numel();
    }

    private long elements() {
        return arrived.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public synchronized String toString() {
        return elements() + " of " + tensor.numel() + " elements, in pieces " + arrived.keySet();
    }
}
