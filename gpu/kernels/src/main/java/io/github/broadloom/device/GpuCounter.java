package io.github.broadloom.device;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What this JVM's GPUs hold, what went there and back, and what had to give way; all are zero where there is no GPU. */
public enum GpuCounter {
    /** Bytes of device memory that are lent now: to tensors, copies and work under way. */
    HELD_BYTES("heldBytes"),
    /** The most bytes of device memory that were ever lent at once. */
    PEAK_HELD_BYTES("peakHeldBytes"),
    /** Bytes of device memory that were released, and are kept for the next who asks. */
    POOLED_BYTES("pooledBytes"),
    /** Bytes of this JVM's memory that are pinned for copies now. */
    PINNED_BYTES("pinnedBytes"),
    /** The most bytes that were ever pinned at once. */
    PEAK_PINNED_BYTES("peakPinnedBytes"),
    UPLOADED_BYTES("uploadedBytes"),
    DOWNLOADED_BYTES("downloadedBytes"),
    /** Bytes of those that the CPU copied from or to pinned memory; the others the devices copied by themselves, or their driver did. */
    STAGED_BYTES("stagedBytes"),
    /** Pieces of work that were halved for want of device memory. */
    HALVED("halved"),
    /** Pieces of work that the CPU computed for want of device memory. */
    ON_CPU_FOR_MEMORY("onCpuForMemory"),
    /** Pieces of work that the CPU computed because a kernel was not to be had. */
    ON_CPU_FOR_KERNELS("onCpuForKernels");

    private static final LongAdder[] SUMS =
            Stream.generate(LongAdder::new).limit(values().length).toArray(LongAdder[]::new);
    private static final ThreadLocal<long[]> OF_THREAD = ThreadLocal.withInitial(() -> new long[values().length]);

    private final String label;

    GpuCounter(String label) {
        this.label = label;
    }

    /** Its name among metrics, for instance {@code uploadedBytes}. */
    public String label() {
        return label;
    }

    public void add(long amount) {
        SUMS[ordinal()].add(amount);
        OF_THREAD.get()[ordinal()] += amount;
    }

    /** Counts what is held from now on, negative for what is not any more, and the most that ever was. */
    public static void hold(GpuCounter held, GpuCounter peak, long bytes) {
        synchronized (peak) {
            held.add(bytes);
            peak.add(Math.max(0, held.sum() - peak.sum()));
        }
    }

    public long sum() {
        return SUMS[ordinal()].sum();
    }

    /** What the calling thread counted so far: what a task adds to it is the task's own. */
    public long ofThisThread() {
        return OF_THREAD.get()[ordinal()];
    }
}
