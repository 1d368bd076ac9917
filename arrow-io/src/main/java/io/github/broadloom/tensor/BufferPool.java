package io.github.broadloom.tensor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * Freed buffers by capacity, at most {@code limitBytes} in all. Only large ones: the allocator below pools small ones by
 * itself. The buffer freed last is taken first, because its pages are the likeliest to be in the cache.
 */
final class BufferPool {
    static final long MIN_BYTES = 1 << 20;

    private final TreeMap<Long, Deque<ArrowBuf>> free = new TreeMap<>();
    private final long limitBytes;
    private long sizeBytes;

    BufferPool(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The bytes that wait here. */
    synchronized long sizeBytes() {
        return sizeBytes;
    }

    /** A buffer of at least that capacity that wastes at most an eighth, or null. */
    synchronized @Nullable ArrowBuf take(long bytes) {
        Map.Entry<Long, Deque<ArrowBuf>> fitting = bytes < MIN_BYTES ? null : free.ceilingEntry(bytes);
        if (fitting == null || fitting.getKey() - bytes > bytes / 8) {
            return null;
        }
        return remove(fitting);
    }

    /** Keeps a buffer that nobody else holds; false where it does not belong here. */
    synchronized boolean offer(ArrowBuf buffer) {
        long capacity = buffer.capacity();
        if (capacity < MIN_BYTES || capacity > limitBytes) {
            return false;
        }
        while (sizeBytes + capacity > limitBytes) {
            remove(free.lastEntry()).getReferenceManager().release();
        }
        free.computeIfAbsent(capacity, key -> new ArrayDeque<>()).push(buffer);
        sizeBytes += capacity;
        return true;
    }

    /** Frees everything. */
    synchronized void clear() {
        while (!free.isEmpty()) {
            remove(free.lastEntry()).getReferenceManager().release();
        }
    }

    private ArrowBuf remove(Map.Entry<Long, Deque<ArrowBuf>> entry) {
        ArrowBuf buffer = entry.getValue().pop();
        if (entry.getValue().isEmpty()) {
            free.remove(entry.getKey());
        }
        sizeBytes -= entry.getKey();
        return buffer;
    }
}
