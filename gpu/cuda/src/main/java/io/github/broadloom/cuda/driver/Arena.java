package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.GarbageWatch;
import io.github.broadloom.tensor.Memory;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one GPU. What is released is kept for the next who asks, because {@code cuMemAlloc} takes as long as many kernels and
 * {@code cuMemFree} waits for the whole device. What nobody took for a while goes back to the driver, when it disturbs nobody.
 *
 * <p>Work in a stream runs later than the calls that put it there. A block that is released while streams have work that uses it
 * is handed out again only when that work is done, or at once to a stream when all that work is its own, since a stream runs in order.
 *
 * <p>Where that cannot be, garbage is collected if that pays, and the driver is asked for more. When memory ends (the budget's or the device's), as much is freed of what is kept as there must be,
 * that first which waits longest; then the work is waited for that uses released blocks; then what can be done without is released; then garbage is collected, as long as that frees something, because tensors
 * that nobody refers to hold memory; only then it is an error. Nobody who releases a block, or who takes one that is kept, waits for the driver meanwhile.
 */
public final class Arena {
    /** The calls of the driver for memory: the device's, or a test's. */
    interface Source {
        /** Before the others are called by a thread. */
        void begin();

        long allocate(long bytes);

        void free(long address);

        /** Releases a block that is lent but can be done without; false where there is none. */
        boolean freeOne();

        /** Hears of a failure that is not want of memory, and gives it back to be thrown. */
        CudaException failed(CudaException e);

        /** Hears that a block waits for the next taker: some time later {@link #freeExpired} is due. */
        void kept();
    }

    /** What is lent, was ever lent at once, and is kept; the most of lent and kept together; and how often the driver was asked, and a kept block lent again. */
    record Figures(long usedBytes, long peakBytes, long keptBytes, long budgetBytes, long allocations, long reuses) {}

    private final String owner;
    private final long budgetBytes;
    private final Source source;
    private final GarbageWatch garbage;
    /** Held by who asks the driver for memory, or gives some back: one after the other. The arena itself is locked for its books alone. */
    private final Object driver = new Object();

    /** What is lent, by address. */
    private final NavigableMap<Long, DeviceBlock> lent = new ConcurrentSkipListMap<>();
    /** What was released. Guarded by this. */
    private final KeptBlocks kept = new KeptBlocks();

    /** What the driver said when it last had no memory; null where it was the budget that ended. */
    private @Nullable CudaException refusal;

    private long usedBytes;
    private long peakBytes;
    private long keptBytes;
    private long allocations;
    private long reuses;

    /** @param owner the device, for messages */
    Arena(String owner, long budgetBytes, Source source) {
        this.owner = owner;
        this.budgetBytes = budgetBytes;
        this.source = source;
        this.garbage = Memory.garbageWatch(this::usedBytes, () -> budgetBytes);
    }

    /**
     * Uninitialised memory.
     *
     * @param bytes how many; 0 gives an address, too
     * @param stream in whose stream the memory is used first, if that is known
     * @throws OutOfDeviceMemoryException with the figures
     */
    DeviceBlock take(long bytes, @Nullable GpuStream stream) {
        DeviceBlock block = takeNow(bytes, stream);
        for (long used = usedBytes(), before = Long.MAX_VALUE; block == null && used > 0 && used < before; ) {
            Memory.collectGarbage(); // holding nothing: what is found is given back here
            block = takeNow(bytes, stream);
            before = used;
            used = usedBytes();
        }
        if (block == null) {
            throw outOfMemory(bytes);
        }
        return block;
    }

    private synchronized long usedBytes() {
        return usedBytes;
    }

    private synchronized OutOfDeviceMemoryException outOfMemory(long bytes) {
        return new OutOfDeviceMemoryException(
                "Cannot allocate " + bytes + " bytes on " + owner + ": " + usedBytes
                        + " bytes are in use, the budget is "
                        + budgetBytes + "; use smaller chunks, release tensors that live there, or raise -D"
                        + DeviceSettings.CUDA_MEMORY,
                refusal);
    }

    /** Memory, or null when there is none to be had but by the collector. */
    private @Nullable DeviceBlock takeNow(long bytes, @Nullable GpuStream stream) {
        long size = SizeClass.of(bytes);
        DeviceBlock block = reused(size, stream);
        if (block == null && garbage.collectWhereItPays()) {
            block = reused(size, stream);
        }
        if (block != null) {
            return block;
        }
        synchronized (driver) {
            return fresh(size, stream);
        }
    }

    private synchronized @Nullable DeviceBlock reused(long size, @Nullable GpuStream stream) {
        DeviceBlock block = kept.take(size, stream);
        if (block == null) {
            return null;
        }
        reuses++;
        countKept(-block.sizeBytes());
        countUsed(block.sizeBytes());
        return lend(block.lentAgain());
    }

    private DeviceBlock lend(DeviceBlock block) {
        lent.put(block.address(), block);
        return block;
    }

    private void countUsed(long bytes) {
        usedBytes += bytes;
        peakBytes = Math.max(peakBytes, usedBytes);
        GpuCounter.hold(GpuCounter.HELD_BYTES, GpuCounter.PEAK_HELD_BYTES, bytes);
    }

    private void countKept(long bytes) {
        keptBytes += bytes;
        GpuCounter.POOLED_BYTES.add(bytes);
    }

    /** Hears that a stream is about to put work at a position that uses what lies at an address. */
    void use(long address, GpuStream stream, long position) {
        Map.Entry<Long, DeviceBlock> before = lent.floorEntry(address);
        if (before != null && address < before.getKey() + before.getValue().sizeBytes()) {
            before.getValue().usedBy(stream, position);
        }
    }

    void give(DeviceBlock block) {
        synchronized (this) {
            lent.remove(block.address());
            countUsed(-block.sizeBytes());
            countKept(block.sizeBytes());
            block.idleSince = System.nanoTime();
            kept.add(block);
        }
        garbage.released();
        source.kept();
    }

    private @Nullable DeviceBlock fresh(long size, @Nullable GpuStream stream) {
        try {
            source.begin();
            DeviceBlock block = obtained(size, stream);
            while (block == null && (awaitUnsettled() || source.freeOne())) {
                block = obtained(size, stream);
            }
            return block;
        } catch (CudaException e) {
            throw source.failed(e.during("allocate " + size + " bytes", owner));
        }
    }

    /** A block that was released while this thread waited, else one of the driver's, for which kept ones give way; null where there is none as things are. */
    private @Nullable DeviceBlock obtained(long size, @Nullable GpuStream stream) {
        DeviceBlock block = reused(size, stream);
        if (block == null) {
            block = allocated(size);
        }
        for (boolean gaveWay = true; block == null && gaveWay; ) {
            Optional<DeviceBlock> oldest = forgetOldest(0);
            oldest.ifPresent(this::free);
            gaveWay = oldest.isPresent();
            block = allocated(size); // another process may have given some back
        }
        return block;
    }

    /** What is lent and kept grows here alone, so that nobody else takes the room meanwhile. */
    private @Nullable DeviceBlock allocated(long size) {
        refusal = null;
        if (!isWithinBudget(size)) {
            return null;
        }
        try {
            DeviceBlock block = new DeviceBlock(this, source.allocate(size), size);
            synchronized (this) {
                allocations++;
                countUsed(size);
            }
            return lend(block);
        } catch (CudaException e) {
            if (!e.isOutOfMemory()) {
                throw e;
            }
            refusal = e;
            return null;
        }
    }

    private synchronized boolean isWithinBudget(long size) {
        return size <= budgetBytes - usedBytes - keptBytes;
    }

    /** Gives what is kept and not in use back to the driver; the device's context must be current. */
    public void freeKept() {
        freeKept(0);
    }

    /** Gives back what nobody took for so long, in a context of the device; nanoseconds until the next is due, negative where nothing waits. */
    long freeExpired(long idleNanos) {
        freeKept(idleNanos);
        synchronized (this) {
            long now = System.nanoTime();
            return kept.oldest()
                    .map(block -> Math.max(0, block.idleSince + idleNanos - now))
                    .orElse(kept.isEmpty() ? -1 : idleNanos);
        }
    }

    private void freeKept(long leastIdleNanos) {
        Cleanup cleanup = new Cleanup();
        synchronized (driver) {
            Optional<DeviceBlock> block = forgetOldest(leastIdleNanos);
            while (block.isPresent()) {
                DeviceBlock oldest = block.get();
                cleanup.run(() -> free(oldest));
                block = forgetOldest(leastIdleNanos);
            }
        }
        cleanup.finish();
    }

    /** Takes the block from what is kept that waits longest, if it has waited so long. */
    private synchronized Optional<DeviceBlock> forgetOldest(long leastIdleNanos) {
        return kept.takeOldest(leastIdleNanos);
    }

    private void free(DeviceBlock block) {
        try {
            source.free(block.address());
        } finally {
            synchronized (this) {
                countKept(-block.sizeBytes());
            }
        }
    }

    /** Waits for the work that uses released blocks; false where there is none. */
    private boolean awaitUnsettled() {
        List<DeviceBlock> blocks;
        synchronized (this) {
            blocks = kept.unsettled();
        }
        blocks.forEach(DeviceBlock::awaitUses);
        return !blocks.isEmpty();
    }

    synchronized Figures figures() {
        return new Figures(usedBytes, peakBytes, keptBytes, budgetBytes, allocations, reuses);
    }
}
