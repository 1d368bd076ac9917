package io.github.broadloom.cuda.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Device memory that the {@link Arena} lent. {@link #release} gives it back, also while kernels that were started before may still use
 * it: nobody else gets it before they are done. Streams that did not use it are not waited for.
 */
public final class DeviceBlock {
    private final Arena arena;
    private final long address;
    private final long sizeBytes;
    private final AtomicBoolean held = new AtomicBoolean(true);

    /** Which streams have work that uses it, and how far each has to come until that is done. */
    private final Map<GpuStream, Long> uses = new ConcurrentHashMap<>(2);
    /** Since when nobody holds it, by {@link System#nanoTime}. Guarded by the arena. */
    long idleSince;

    DeviceBlock(Arena arena, long address, long sizeBytes) {
        this.arena = arena;
        this.address = address;
        this.sizeBytes = sizeBytes;
    }

    /** Of the first byte; a multiple of 256. */
    public long address() {
        return address;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Gives the memory back; once is enough, more often does no harm. Any thread may, and none waits. */
    public void release() {
        if (held.compareAndSet(true, false)) {
            arena.give(this);
        }
    }

    /** The same memory, for the next who takes it. What still uses it does so in the stream that takes it, but that one may release it without having used it. */
    DeviceBlock lentAgain() {
        DeviceBlock again = new DeviceBlock(arena, address, sizeBytes);
        uses.forEach((stream, position) -> {
            if (!stream.hasReached(position)) {
                again.uses.put(stream, position);
            }
        });
        return again;
    }

    /** Hears that a stream is about to put work at a position that uses it. */
    void usedBy(GpuStream stream, long position) {
        uses.put(stream, position);
    }

    void awaitUses() {
        uses.forEach(GpuStream::waitFor);
    }

    boolean isSettled() {
        return uses.isEmpty()
                || uses.entrySet().stream().allMatch(entry -> entry.getKey().hasReached(entry.getValue()));
    }

    /** Whether all that may still use it stands before the next work of a stream, which may therefore have it. */
    boolean isFreeFor(GpuStream stream) {
        return uses.entrySet().stream()
                .allMatch(entry -> entry.getKey() == stream || entry.getKey().hasReached(entry.getValue()));
    }
}
