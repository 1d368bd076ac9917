package io.github.broadloom.device.cuda;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one GPU. What is released is kept for the next who asks, because {@code cuMemAlloc} takes as long as many kernels and
 * {@code cuMemFree} waits for the whole device.
 *
 * <p>Work in a stream runs later than the calls that put it there. A block that is released while any lane has work before it is handed
 * out again only when that work is done, or at once to a lane when all that work is its own, since a stream runs in order.
 *
 * <p>When memory ends (the budget's or the device's), what is kept is freed; then the lanes that released blocks wait for are
 * waited for; then what can be done without is released; then garbage is collected, as long as that frees something, because tensors that nobody refers to hold memory; only then it is an error.
 */
final class Arena {
    /** The calls of the driver for memory: the device's, or a test's. */
    interface Source {
        /** Before the others are called by a thread. */
        void begin();

        long allocate(long bytes);

        void free(long address);

        /** Releases a block that is lent but can be done without; false where there is none. Called while the arena is locked. */
        boolean freeOne();

        /** Hears of a failure that is not want of memory, and gives it back to be thrown. */
        CudaException failed(CudaException e);

        /** The positions of the lanes that have work in their streams. */
        Map<Lane, Long> busyLanes();
    }

    /**
     * What there is.
     *
     * @param usedBytes lent
     * @param keptBytes released, and kept for the next
     * @param budgetBytes the most that both may be together
     * @param allocations how often the driver was asked for memory
     * @param reuses how often a kept block was lent again
     */
    record Figures(long usedBytes, long keptBytes, long budgetBytes, long allocations, long reuses) {}

    private final String owner;
    private final long budgetBytes;
    private final Source source;

    /** Kept blocks that nothing uses any more, by size. */
    private final TreeMap<Long, Deque<DeviceBlock>> settled = new TreeMap<>();
    /** Released blocks that some lane's work may still use, oldest first. */
    private final List<DeviceBlock> unsettled = new ArrayList<>();

    /** What the driver said when it last had no memory; null where it was the budget that ended. */
    private @Nullable CudaException refusal;

    private long usedBytes;
    private long keptBytes;
    private long allocations;
    private long reuses;

    /** @param owner the device, for messages */
    Arena(String owner, long budgetBytes, Source source) {
        this.owner = owner;
        this.budgetBytes = budgetBytes;
        this.source = source;
    }

    /**
     * Uninitialised memory.
     *
     * @param bytes how many; 0 gives an address, too
     * @param lane in whose stream the memory is used first, if that is known
     * @throws OutOfDeviceMemoryException with the figures
     */
    DeviceBlock take(long bytes, @Nullable Lane lane) {
        DeviceBlock block = takeNow(bytes, lane);
        for (long used = usedBytes(), before = Long.MAX_VALUE; block == null && used > 0 && used < before; ) {
            Memory.collectGarbage(); // holding nothing: what is found is given back here
            block = takeNow(bytes, lane);
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
    private synchronized @Nullable DeviceBlock takeNow(long bytes, @Nullable Lane lane) {
        long size = SizeClass.of(bytes);
        settle();
        DeviceBlock block = kept(size);
        if (block == null && lane != null) {
            block = ownOf(lane, size);
        }
        if (block == null) {
            DeviceBlock fresh = fresh(size);
            return fresh == null ? null : lend(fresh);
        }
        reuses++;
        countKept(-block.sizeBytes());
        return lend(block.lentAgain());
    }

    private DeviceBlock lend(DeviceBlock block) {
        countUsed(block.sizeBytes());
        return block;
    }

    private void countUsed(long bytes) {
        usedBytes += bytes;
        GpuCounter.HELD_BYTES.add(bytes);
    }

    private void countKept(long bytes) {
        keptBytes += bytes;
        GpuCounter.POOLED_BYTES.add(bytes);
    }

    /** Called by {@link DeviceBlock#release}. */
    synchronized void give(DeviceBlock block) {
        countUsed(-block.sizeBytes());
        countKept(block.sizeBytes());
        Map<Lane, Long> busy = source.busyLanes();
        if (busy.isEmpty()) {
            keep(block);
        } else {
            block.await(busy);
            unsettled.add(block);
        }
    }

    private void keep(DeviceBlock block) {
        settled.computeIfAbsent(block.sizeBytes(), size -> new ArrayDeque<>()).push(block);
    }

    private void settle() {
        for (Iterator<DeviceBlock> blocks = unsettled.iterator(); blocks.hasNext(); ) {
            DeviceBlock block = blocks.next();
            if (block.isSettled()) {
                blocks.remove();
                keep(block);
            }
        }
    }

    private @Nullable DeviceBlock kept(long size) {
        Map.Entry<Long, Deque<DeviceBlock>> fitting = settled.ceilingEntry(size);
        if (fitting == null || !SizeClass.fits(size, fitting.getKey())) {
            return null;
        }
        DeviceBlock block = fitting.getValue().pop();
        if (fitting.getValue().isEmpty()) {
            settled.remove(fitting.getKey());
        }
        return block;
    }

    private @Nullable DeviceBlock ownOf(Lane lane, long size) {
        for (Iterator<DeviceBlock> blocks = unsettled.iterator(); blocks.hasNext(); ) {
            DeviceBlock block = blocks.next();
            if (block.sizeBytes() >= size && SizeClass.fits(size, block.sizeBytes()) && block.isFreeFor(lane)) {
                blocks.remove();
                return block;
            }
        }
        return null;
    }

    private @Nullable DeviceBlock fresh(long size) {
        try {
            source.begin();
            DeviceBlock block = allocate(size);
            if (block == null) {
                freeKept();
                block = allocate(size);
            }
            if (block == null) {
                waitForUnsettled();
                block = allocate(size);
            }
            while (block == null && source.freeOne()) {
                waitForUnsettled();
                block = allocate(size);
            }
            return block;
        } catch (CudaException e) {
            throw source.failed(e.during("allocate " + size + " bytes", owner));
        }
    }

    /** A block, or null when there is none to be had as things are. */
    private @Nullable DeviceBlock allocate(long size) {
        refusal = null;
        if (usedBytes + keptBytes + size > budgetBytes) {
            return null;
        }
        try {
            DeviceBlock block = new DeviceBlock(this, source.allocate(size), size);
            allocations++;
            return block;
        } catch (CudaException e) {
            if (!e.isOutOfMemory()) {
                throw e;
            }
            refusal = e;
            return null;
        }
    }

    /** Gives what is kept and not in use back to the driver; the device's context must be current. */
    synchronized void freeKept() {
        settle();
        List<DeviceBlock> blocks = new ArrayList<>();
        settled.values().forEach(blocks::addAll);
        settled.clear();
        Cleanup cleanup = new Cleanup();
        for (DeviceBlock block : blocks) {
            countKept(-block.sizeBytes());
            cleanup.run(() -> source.free(block.address()));
        }
        cleanup.finish();
    }

    private void waitForUnsettled() {
        for (DeviceBlock block : unsettled) {
            block.awaited().forEach((lane, position) -> lane.waitFor(position));
        }
        freeKept();
    }

    synchronized Figures figures() {
        return new Figures(usedBytes, keptBytes, budgetBytes, allocations, reuses);
    }
}
