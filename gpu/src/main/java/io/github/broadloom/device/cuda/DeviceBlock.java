package io.github.broadloom.device.cuda;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Device memory that the {@link Arena} lent. {@link #release} gives it back, also while kernels that were started before may still use
 * it: nobody else gets it before they are done.
 */
final class DeviceBlock {
    private final Arena arena;
    private final long address;
    private final long sizeBytes;
    private final AtomicBoolean held = new AtomicBoolean(true);

    /** What it must wait for before it is anybody's: how far each lane has to come. Guarded by the arena. */
    private Map<Lane, Long> awaited = Map.of();

    DeviceBlock(Arena arena, long address, long sizeBytes) {
        this.arena = arena;
        this.address = address;
        this.sizeBytes = sizeBytes;
    }

    /** Of the first byte; a multiple of 256. */
    long address() {
        return address;
    }

    /** Its size, at least what was asked for. */
    long sizeBytes() {
        return sizeBytes;
    }

    /** Gives the memory back; once is enough, more often does no harm. Any thread may, and none waits. */
    void release() {
        if (held.compareAndSet(true, false)) {
            arena.give(this);
        }
    }

    /** The same memory, for the next who takes it. */
    DeviceBlock lentAgain() {
        return new DeviceBlock(arena, address, sizeBytes);
    }

    void await(Map<Lane, Long> positions) {
        awaited = positions;
    }

    Map<Lane, Long> awaited() {
        return awaited;
    }

    boolean isSettled() {
        return awaited.entrySet().stream().allMatch(entry -> entry.getKey().hasReached(entry.getValue()));
    }

    /** Whether all that may still use it stands before the next work of a lane, which may therefore have it. */
    boolean isFreeFor(Lane lane) {
        return awaited.entrySet().stream()
                .allMatch(entry -> entry.getKey() == lane || entry.getKey().hasReached(entry.getValue()));
    }
}
