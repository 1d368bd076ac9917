package io.github.broadloom.tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages under large buffers: taken from the operating system, kept by size when they are freed, and given back to it when
 * nobody took them for a while. The pages freed last are taken first, because they are the likeliest to be in the cache; those that
 * wait longest are given up first.
 *
 * <p>The JVM's limit on direct memory does not count them. What is held is counted by whoever takes them; the pool gives way, so
 * that what is held and what waits stay within one limit together.
 */
final class PagePool {
    private final Map<Long, ArrayDeque<Pages>> waiting = new HashMap<>();
    private final LongSupplier roomBytes;
    private final long idleNanos;
    private long limitBytes;
    private long pooledBytes;
    private long hits;
    private long misses;
    private long freshBytes;
    private @Nullable Thread trimmer;

    /** Memory of the operating system. */
    static final class Pages {
        private final long base;
        private final long bytes;
        private long idleSince;

        private Pages(long bytes) {
            this.base = RawMemory.allocate(bytes + RawMemory.CACHE_LINE_BYTES);
            this.bytes = bytes;
        }

        /** The first byte, at the start of a cache line. */
        long address() {
            return (base + RawMemory.CACHE_LINE_BYTES - 1) & -RawMemory.CACHE_LINE_BYTES;
        }

        long bytes() {
            return bytes;
        }

        private void free() {
            RawMemory.free(base);
        }
    }

    /** What happened so far, and what waits now. */
    record Counts(long pooledBytes, long limitBytes, long hits, long misses, long freshBytes) {}

    /**
     * @param limitBytes the most that waits here
     * @param roomBytes the most that may wait here beside what is held now
     * @param idleMillis how long pages wait for a taker
     */
    PagePool(long limitBytes, LongSupplier roomBytes, long idleMillis) {
        this.limitBytes = limitBytes;
        this.roomBytes = roomBytes;
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis);
    }

    /** Pages of just that size that were used before, or null. */
    synchronized @Nullable Pages takePooled(long bytes) {
        ArrayDeque<Pages> fitting = waiting.get(bytes);
        Pages pages = fitting == null ? null : fitting.pollFirst();
        if (pages != null) {
            pooledBytes -= bytes;
            hits++;
        }
        return pages;
    }

    /**
     * Pages from the operating system, uninitialised.
     *
     * @throws OutOfMemoryError where it has none
     */
    Pages takeFresh(long bytes) {
        giveWay();
        Pages pages;
        try {
            pages = new Pages(bytes);
        } catch (OutOfMemoryError full) {
            clear();
            pages = new Pages(bytes);
        }
        synchronized (this) {
            misses++;
            freshBytes += bytes;
        }
        return pages;
    }

    /** Keeps pages that nobody uses any more. */
    void giveBack(Pages pages) {
        synchronized (this) {
            pages.idleSince = System.nanoTime();
            waiting.computeIfAbsent(pages.bytes, size -> new ArrayDeque<>()).addFirst(pages);
            pooledBytes += pages.bytes;
            startTrimmer();
        }
        giveWay();
    }

    /** Gives up what is more than the limit, or than there is room for. */
    void giveWay() {
        List<Pages> surplus = new ArrayList<>();
        synchronized (this) {
            long most = Math.min(limitBytes, roomBytes.getAsLong());
            while (pooledBytes > Math.max(0, most)) {
                surplus.add(removeOldest());
            }
        }
        surplus.forEach(Pages::free);
    }

    /** Gives up everything. */
    void clear() {
        List<Pages> all = new ArrayList<>();
        synchronized (this) {
            while (pooledBytes > 0) {
                all.add(removeOldest());
            }
        }
        all.forEach(Pages::free);
    }

    /** From now on at most that many bytes wait here. */
    void limitTo(long bytes) {
        synchronized (this) {
            limitBytes = bytes;
        }
        giveWay();
    }

    synchronized Counts counts() {
        return new Counts(pooledBytes, limitBytes, hits, misses, freshBytes);
    }

    /** The thread that frees what waited too long, where there is one: for tests. */
    synchronized @Nullable Thread trimmer() {
        return trimmer;
    }

    private ArrayDeque<Pages> oldest() {
        ArrayDeque<Pages> oldest = new ArrayDeque<>();
        for (ArrayDeque<Pages> deque : waiting.values()) {
            Pages last = deque.peekLast();
            Pages before = oldest.peekLast();
            if (last != null && (before == null || last.idleSince - before.idleSince < 0)) {
                oldest = deque;
            }
        }
        return oldest;
    }

    private Pages removeOldest() {
        Pages pages = oldest().removeLast();
        pooledBytes -= pages.bytes;
        if (pooledBytes == 0) {
            waiting.clear();
        }
        return pages;
    }

    /** One daemon while anything waits. */
    private void startTrimmer() {
        if (trimmer == null) {
            trimmer = new Thread(this::trim, "broadloom-memory-trimmer");
            trimmer.setDaemon(true);
            trimmer.setContextClassLoader(null); // it must keep nobody's classes
            trimmer.start();
        }
    }

    private void trim() {
        long pauseNanos = idleNanos;
        while (pauseNanos >= 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(pauseNanos);
            } catch (InterruptedException e) {
                continue; // nobody means this thread
            }
            List<Pages> expired = new ArrayList<>();
            pauseNanos = removeExpired(expired);
            expired.forEach(Pages::free);
        }
    }

    /** Returns the time until the next pages expire, negative where none wait: then the trimmer ends. */
    private synchronized long removeExpired(List<Pages> expired) {
        while (pooledBytes > 0) {
            Pages oldest = oldest().getLast();
            long leftNanos = oldest.idleSince + idleNanos - System.nanoTime();
            if (leftNanos > 0) {
                return leftNanos;
            }
            expired.add(removeOldest());
        }
        trimmer = null;
        return -1;
    }
}
