package io.github.broadloom.cuda.driver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Blocks of an {@link Arena} that were released, and wait for the next taker. Of one thread at a time. */
final class KeptBlocks {
    /** Those that nothing uses any more, by size; those that were used last come first. */
    private final TreeMap<Long, Deque<DeviceBlock>> settled = new TreeMap<>();
    /** Those that some stream's work may still use, oldest first. */
    private final List<DeviceBlock> unsettled = new ArrayList<>();

    boolean isEmpty() {
        return settled.isEmpty() && unsettled.isEmpty();
    }

    void add(DeviceBlock block) {
        if (block.isSettled()) {
            keep(block);
        } else {
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

    /** A block that nothing uses, else one whose uses all stand before the next work of the stream, if that is known; null where there is none. */
    @Nullable DeviceBlock take(long size, @Nullable GpuStream stream) {
        settle();
        DeviceBlock block = fitting(size);
        return block != null || stream == null ? block : ownOf(stream, size);
    }

    private @Nullable DeviceBlock fitting(long size) {
        Map.Entry<Long, Deque<DeviceBlock>> fitting = settled.ceilingEntry(size);
        if (fitting == null || !SizeClass.fits(size, fitting.getKey())) {
            return null;
        }
        DeviceBlock block = fitting.getValue().element();
        forget(block);
        return block;
    }

    private void forget(DeviceBlock kept) {
        settled.computeIfPresent(kept.sizeBytes(), (size, same) -> {
            same.remove(kept);
            return same.isEmpty() ? null : same;
        });
    }

    private @Nullable DeviceBlock ownOf(GpuStream stream, long size) {
        for (Iterator<DeviceBlock> blocks = unsettled.iterator(); blocks.hasNext(); ) {
            DeviceBlock block = blocks.next();
            if (block.sizeBytes() >= size && SizeClass.fits(size, block.sizeBytes()) && block.isFreeFor(stream)) {
                blocks.remove();
                return block;
            }
        }
        return null;
    }

    /** Takes the block that waits longest, if it has waited so long. */
    Optional<DeviceBlock> takeOldest(long leastIdleNanos) {
        settle();
        Optional<DeviceBlock> oldest = oldest().filter(block -> System.nanoTime() - block.idleSince >= leastIdleNanos);
        oldest.ifPresent(this::forget);
        return oldest;
    }

    /** The block that nobody has had for longest, of those that nothing uses. */
    Optional<DeviceBlock> oldest() {
        long now = System.nanoTime();
        return settled.values().stream()
                .map(Deque::getLast)
                .min(Comparator.comparingLong(block -> block.idleSince - now));
    }

    List<DeviceBlock> unsettled() {
        settle();
        return List.copyOf(unsettled);
    }
}
