package io.github.broadloom.tensor;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Collects garbage when that is cheaper than fresh pages. Storages that were dropped are small objects on the heap, which hardly fills, so
 * the collector would not come for a long time, and every result would take fresh pages meanwhile.
 *
 * <p>It watches what is held off-heap. Where that has grown since the last collection by as much as {@link #STEP_BYTES}, and by
 * more than the whole heap has to offer, it asks the collector. A collection that took longer than fresh pages for what it freed would have taken
 * doubles the growth that the next one waits for, so a program that keeps its results is soon left alone.
 */
public final class GarbageWatch {
    /** Some results of the size for which all this matters. */
    static final long STEP_BYTES = 1L << 30;

    /** Measured: to take 0.3 GB of fresh pages costs about 60 ms more than to take used ones. */
    private static final double FRESH_NANOS_PER_BYTE = 0.2;

    private static final int MOST_PATIENCE = 1 << 10;
    private static final int CLEANER_MILLIS = 100;
    private static final int STRAGGLER_MILLIS = 2;

    private final LongSupplier heldBytes;
    private final Cleaner cleaner;
    private final LongSupplier limitBytes;
    private WeakReference<Object> witness = new WeakReference<>(new Object());
    private long baseBytes;
    private long patience = 1;
    private long collections;

    /**
     * @param cleaner frees what the collector finds
     * @param limitBytes a quarter of it is growth that is worth a look, where {@link #STEP_BYTES} are more
     */
    GarbageWatch(LongSupplier heldBytes, Cleaner cleaner, LongSupplier limitBytes) {
        this.heldBytes = heldBytes;
        this.cleaner = cleaner;
        this.limitBytes = limitBytes;
    }

    synchronized long collections() {
        return collections;
    }

    /** Something was given back: growth counts from the lowest point. */
    public void released() {
        long held = heldBytes.getAsLong();
        if (held < baseBytes) {
            lowerTo(held);
        }
    }

    private synchronized void lowerTo(long held) {
        baseBytes = Math.min(baseBytes, held);
    }

    /** True after a collection, which may have freed what the caller needs. */
    public synchronized boolean collectWhereItPays() {
        long held = heldBytes.getAsLong();
        if (witness.get() == null) { // the collector came by itself
            restart(held);
            return false;
        }
        long grown = held - baseBytes;
        Runtime heap = Runtime.getRuntime();
        if (grown < stepBytes() * patience || grown < heap.totalMemory() - heap.freeMemory()) {
            return false;
        }
        long begin = System.nanoTime();
        collect(cleaner);
        collections++;
        long freed = held - heldBytes.getAsLong();
        boolean paid = System.nanoTime() - begin < freed * FRESH_NANOS_PER_BYTE;
        patience = paid ? Math.max(1, patience / 2) : Math.min(MOST_PATIENCE, patience * 2);
        restart(heldBytes.getAsLong());
        return true;
    }

    private long stepBytes() {
        return Math.min(STEP_BYTES, limitBytes.getAsLong() / 4);
    }

    private void restart(long held) {
        baseBytes = held;
        witness = new WeakReference<>(new Object());
    }

    /** Collects garbage and waits until the cleaner has seen to what was found, or for a moment. */
    static void collect(Cleaner cleaner) {
        AtomicBoolean cleaned = new AtomicBoolean();
        cleaner.register(new Object(), () -> cleaned.set(true));
        System.gc();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLEANER_MILLIS);
        boolean going = true;
        while (going && !cleaned.get() && System.nanoTime() < deadline) {
            going = pause(1);
        }
        pause(STRAGGLER_MILLIS); // the cleaner works in no order
    }

    /** False where the thread was interrupted. */
    static boolean pause(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
