package io.github.broadloom.tensor;

import org.jspecify.annotations.Nullable;

/**
 * Memory of the operating system that goes back to it when it is freed. The C library gives back at once only what it mapped by itself, and it does that with every request above 32 MiB; smaller
 * ones come from its arenas as soon as anybody in the process has freed one of about their size, and arenas hardly ever shrink. So all requests are larger: what nobody touches of them is an
 * address and no memory. It is touched from its start on.
 */
final class Region {
    private static final long LEAST_BYTES = (32L << 20) + (1 << 16);

    private final long base;
    private final long bytes;
    private long touchedBytes;
    private long lentBytes;
    private long idleSince;
    /** Who pinned it, or was asked to; null while nobody was. */
    private @Nullable SlabPins pins;

    private boolean pinned;

    /** @throws OutOfMemoryError where the system has none */
    Region(long bytes) {
        this.base = RawMemory.allocate(Math.max(LEAST_BYTES, bytes + RawMemory.CACHE_LINE_BYTES));
        this.bytes = bytes;
    }

    /** The first byte, at the start of a cache line. */
    long start() {
        return RawMemory.cacheLine(base);
    }

    long end() {
        return start() + bytes;
    }

    /** Where the pages begin that nobody has touched. */
    long touchedEnd() {
        return start() + touchedBytes;
    }

    long touchedBytes() {
        return touchedBytes;
    }

    Pages lend(long address, long bytes) {
        touchedBytes = Math.max(touchedBytes, address + bytes - start());
        lentBytes += bytes;
        return new Pages(this, address, bytes);
    }

    void takeBack(Pages piece) {
        lentBytes -= piece.bytes();
        idleSince = System.nanoTime();
    }

    boolean isIdle() {
        return lentBytes == 0;
    }

    /** Since when, by {@link System#nanoTime}. */
    long idleSince() {
        return idleSince;
    }

    /** Whether nobody was asked to pin it yet; from now on somebody was. */
    boolean isFirstAsked(SlabPins asked) {
        boolean first = pins == null;
        pins = first ? asked : pins;
        return first;
    }

    boolean isPinned() {
        return pinned;
    }

    void pinned() {
        pinned = true;
    }

    /** Unpins it, if it was pinned by these, who may be asked again. */
    void unpin(SlabPins by) {
        if (pins == by) {
            if (pinned) {
                by.unpin(start(), bytes);
            }
            pinned = false;
            pins = null;
        }
    }

    void free() {
        if (pins != null) {
            unpin(pins);
        }
        RawMemory.free(base);
    }
}
