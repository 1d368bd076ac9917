package io.github.broadloom.tensor;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;

/**
 * The memory under buffers, all of it within one limit: what is lent, and what was touched and waits for the next taker, because fresh pages cost several times the arithmetic done on them.
 *
 * <p>Pieces up to {@link Slabs#MOST_BYTES} are cut from {@link Slabs}. Larger ones are regions of their own, those given back last being taken first, because they are the likeliest to be in the cache;
 * they are lent to takers of up to a fifth less. Where memory is wanted, and when nobody took it for a while, regions of which nobody has a piece go back to the operating system, those that wait longest
 * first. Small buffers, which lie elsewhere, are only counted here.
 *
 * <p>The JVM's limit on direct memory does not count any of it.
 */
final class PagePool {
    /** A region that waits is lent to who wants so much less of it: as 1 is to 4. */
    private static final int SLACK = 4;

    private final Slabs slabs = new Slabs();
    /** Regions that are lent as a whole, by size, while they wait. */
    private final TreeMap<Long, ArrayDeque<Region>> waiting = new TreeMap<>();

    private final long idleNanos;
    private final Trimmer trimmer;
    private long limitBytes;
    private long poolLimitBytes;
    /** What is lent, and what is small and lies elsewhere. */
    private volatile long heldBytes;

    private long waitingBytes;
    private long peakBytes;
    private long hits;
    private long misses;
    private long freshBytes;

    /** @param limitBytes the most that is lent and waits together, {@code poolLimitBytes} of which wait at the most */
    PagePool(long limitBytes, long poolLimitBytes, long idleMillis) {
        this.limitBytes = limitBytes;
        this.poolLimitBytes = poolLimitBytes;
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis);
        this.trimmer = new Trimmer("broadloom-memory-trimmer", idleNanos, this::freeExpired);
    }

    synchronized @Nullable Pages takePooled(long bytes) {
        Pages pages = bytes <= Slabs.MOST_BYTES ? slabs.takeGap(bytes) : takeWaiting(bytes);
        if (pages != null) {
            waitingBytes -= pages.bytes();
            hits++;
            hold(pages.bytes());
        }
        return pages;
    }

    private @Nullable Pages takeWaiting(long bytes) {
        Map.Entry<Long, ArrayDeque<Region>> fitting = waiting.ceilingEntry(bytes);
        if (fitting == null || fitting.getKey() > bytes + bytes / SLACK) {
            return null;
        }
        Region region = fitting.getValue().getFirst();
        forget(region);
        return region.lend(region.start(), region.touchedBytes());
    }

    /** Pages from the operating system, uninitialised, where no used ones are there; an OutOfMemoryException past the limit. */
    synchronized Pages takeFresh(long bytes) {
        Pages back =
                takePooled(bytes); // what came back since somebody looked; fresh pages continue no gap that would do
        if (back != null) {
            return back;
        }
        makeRoom(bytes, () -> freshBytes(bytes)); // a slab that had room at its end may make room itself
        try {
            return map(bytes);
        } catch (OutOfMemoryError none) {
            clear();
            return map(bytes);
        }
    }

    private long freshBytes(long bytes) {
        return bytes <= Slabs.MOST_BYTES ? slabs.freshBytes(bytes) : bytes;
    }

    private Pages map(long bytes) {
        long fresh = freshBytes(bytes);
        Pages pages;
        if (bytes <= Slabs.MOST_BYTES) {
            pages = slabs.takeFresh(bytes);
        } else {
            Region region = new Region(bytes);
            pages = region.lend(region.start(), bytes);
        }
        waitingBytes -= bytes - fresh;
        misses++;
        freshBytes += fresh;
        hold(pages.bytes());
        return pages;
    }

    private synchronized void hold(long bytes) {
        heldBytes += bytes;
        peakBytes = Math.max(peakBytes, heldBytes);
    }

    /** Bytes that somebody has. */
    long heldBytes() {
        return heldBytes;
    }

    synchronized void giveBack(Pages pages) {
        hold(-pages.bytes());
        waitingBytes += pages.bytes();
        if (pages.bytes() <= Slabs.MOST_BYTES) {
            slabs.giveBack(pages);
        } else {
            pages.region().takeBack(pages);
            waiting.computeIfAbsent(pages.bytes(), size -> new ArrayDeque<>()).addFirst(pages.region());
        }
        giveWay();
        if (waitingBytes > 0) {
            trimmer.start();
        }
    }

    /** Counts a small buffer; an OutOfMemoryException past the limit. */
    synchronized void takeSmall(long bytes) {
        makeRoom(bytes, () -> bytes);
        hold(bytes);
    }

    synchronized void giveBackSmall(long bytes) {
        hold(-bytes);
    }

    /** Frees what waits until there is room for so much more. */
    private void makeRoom(long bytes, LongSupplier more) {
        while (heldBytes + waitingBytes + more.getAsLong() > limitBytes) {
            if (!freeOldest()) {
                throw new OutOfMemoryException("Cannot take " + bytes + " bytes: " + heldBytes + " are held and "
                        + waitingBytes + " wait, of " + limitBytes);
            }
        }
    }

    /** Frees what waits and is more than shall wait, or than there is room for, as far as nobody has a piece beside it. */
    private void giveWay() {
        boolean freed = true;
        while (freed && waitingBytes > Math.min(poolLimitBytes, limitBytes - heldBytes)) {
            freed = freeOldest();
        }
    }

    /** Frees everything that waits, as far as nobody has pieces beside it. */
    synchronized void clear() {
        boolean freed = true;
        while (freed) {
            freed = freeOldest();
        }
    }

    synchronized void limitTo(long bytes, long pooledBytes) {
        limitBytes = bytes;
        poolLimitBytes = pooledBytes;
        giveWay();
    }

    synchronized MemoryFigures figures(long collections) {
        return new MemoryFigures(
                heldBytes, peakBytes, waitingBytes, limitBytes, poolLimitBytes, hits, misses, freshBytes, collections);
    }

    /**
     * Whether memory that somebody holds lies in a slab that is pinned. Who asks first for one that is not has it pinned, where all of the slab fits into the limit: others go on without meanwhile.
     */
    boolean isPinned(long address, long bytes, SlabPins pins) {
        Region slab;
        synchronized (this) {
            slab = slabs.at(address);
            if (slab == null || address + bytes > slab.end()) {
                return false;
            }
            if (slab.isPinned() || !mayGrow(slab) || !slab.isFirstAsked(pins)) {
                return slab.isPinned();
            }
            waitingBytes += slabs.touchAll(slab);
        }
        boolean pinned = pins.pin(
                slab.start(), slab.end() - slab.start()); // slow; it stays, because somebody holds a piece of it
        synchronized (this) {
            if (pinned) {
                slab.pinned();
            }
        }
        return pinned;
    }

    private boolean mayGrow(Region slab) {
        return heldBytes + waitingBytes + slab.end() - slab.touchedEnd() <= limitBytes;
    }

    synchronized boolean isInSlab(long address) {
        return slabs.at(address) != null;
    }

    synchronized void unpin(SlabPins pins) {
        slabs.all().forEach(slab -> slab.unpin(pins));
    }

    synchronized long limitBytes() {
        return limitBytes;
    }

    /** The thread that frees what waited too long, where there is one: for tests. */
    @Nullable Thread trimmer() {
        return trimmer.thread();
    }

    /** The region that nobody has a piece of, and nobody had for longest. */
    private Optional<Region> oldest() {
        Stream<Region> whole = waiting.values().stream().map(ArrayDeque::getLast);
        long now = System.nanoTime();
        return Stream.concat(whole, slabs.idle().stream())
                .min(Comparator.comparingLong(region -> region.idleSince() - now));
    }

    private boolean freeOldest() {
        Optional<Region> oldest = oldest();
        oldest.ifPresent(region -> {
            waitingBytes -= region.touchedBytes();
            forget(region);
            region.free();
        });
        return oldest.isPresent();
    }

    private void forget(Region region) {
        ArrayDeque<Region> same = waiting.get(region.touchedBytes());
        if (same == null || !same.remove(region)) {
            slabs.forget(region);
        } else if (same.isEmpty()) {
            waiting.remove(region.touchedBytes());
        }
    }

    /** Returns the time until the next region expires, negative where none waits. */
    private synchronized long freeExpired() {
        Optional<Region> oldest = oldest();
        while (oldest.isPresent()) {
            long leftNanos = oldest.get().idleSince() + idleNanos - System.nanoTime();
            if (leftNanos > 0) {
                return leftNanos;
            }
            freeOldest();
            oldest = oldest();
        }
        return -1;
    }
}
