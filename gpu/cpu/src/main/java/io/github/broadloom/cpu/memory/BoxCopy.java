package io.github.broadloom.cpu.memory;

import io.github.broadloom.tensor.RawMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a box of elements from one place to another, each with steps of its own; a place is an array on the heap or
 * off-heap memory. The loops come in the order that suits the memory: the innermost is the one whose elements lie together.
 */
public final class BoxCopy {
    /** A run of fewer bytes is copied faster by its elements than by a call. */
    private static final int SHORT_RUN_BYTES = 32;

    /**
     * One loop.
     *
     * @param size its iterations
     * @param fromBytes the step at the source
     * @param toBytes the step at the target
     */
    public record Loop(int size, long fromBytes, long toBytes) {}

    private final int elementBytes;
    private final Loop[] outer;
    private final Loop rows;
    private final Loop columns;
    private final long runBytes;
    private final boolean packs;
    private final boolean interleaves;

    /** @param loops the outermost first; none copies one element */
    public BoxCopy(int elementBytes, List<Loop> loops) {
        this.elementBytes = elementBytes;
        int count = loops.size();
        this.columns = count > 0 ? loops.get(count - 1) : new Loop(1, elementBytes, elementBytes);
        this.rows = count > 1 ? loops.get(count - 2) : new Loop(1, 0, 0);
        this.outer = loops.subList(0, Math.max(0, count - 2)).toArray(Loop[]::new);
        boolean gapless = columns.fromBytes() == elementBytes && columns.toBytes() == elementBytes;
        long bytes = (long) columns.size() * elementBytes;
        this.runBytes = gapless && bytes >= SHORT_RUN_BYTES ? bytes : 0;
        this.packs = PackedTranspose.packs(elementBytes, rows, columns);
        this.interleaves = LineTranspose.interleaves(elementBytes, rows, columns);
    }

    /**
     * Copies the box.
     *
     * @param from an array, or null for an address
     * @param fromAt where the first element lies: a byte offset into the array, or an address
     */
    public void copy(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        copy(0, from, fromAt, to, toAt);
    }

    private void copy(int loop, @Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        if (loop == outer.length) {
            if (runBytes > 0) {
                copyRuns(from, fromAt, to, toAt);
            } else {
                copyElements(from, fromAt, to, toAt);
            }
            return;
        }
        Loop steps = outer[loop];
        for (int i = 0; i < steps.size(); i++) {
            copy(loop + 1, from, fromAt + i * steps.fromBytes(), to, toAt + i * steps.toBytes());
        }
    }

    private void copyRuns(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        int count = rows.size();
        for (int row = 0; row < count; row++) {
            RawMemory.copy(from, fromAt + row * rows.fromBytes(), to, toAt + row * rows.toBytes(), runBytes);
        }
    }

    private void copyElements(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        int count = rows.size();
        int row = 0;
        if (packs) {
            for (; row + PackedTranspose.ROWS <= count; row += PackedTranspose.ROWS) {
                long source = fromAt + row * rows.fromBytes();
                long target = toAt + row * rows.toBytes();
                PackedTranspose.copy(from, source, to, target, rows.fromBytes(), columns);
            }
        }
        if (interleaves) {
            for (; row + LineTranspose.LINES <= count; row += LineTranspose.LINES) {
                long source = fromAt + row * rows.fromBytes();
                long target = toAt + row * rows.toBytes();
                LineTranspose.copy(from, source, to, target, rows.fromBytes(), columns);
            }
        }
        for (; row < count; row++) {
            long source = fromAt + row * rows.fromBytes();
            long target = toAt + row * rows.toBytes();
            switch (elementBytes) {
                case 1 -> bytes(from, source, to, target, columns);
                case 2 -> shorts(from, source, to, target, columns);
                case 4 -> ints(from, source, to, target, columns);
                default -> longs(from, source, to, target, columns);
            }
        }
    }

    private static void bytes(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop) {
        int count = loop.size();
        long step = loop.fromBytes();
        long targetStep = loop.toBytes();
        for (int i = 0; i < count; i++) {
            RawMemory.copyByte(from, fromAt + i * step, to, toAt + i * targetStep);
        }
    }

    private static void shorts(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop) {
        int count = loop.size();
        long step = loop.fromBytes();
        long targetStep = loop.toBytes();
        for (int i = 0; i < count; i++) {
            RawMemory.copyShort(from, fromAt + i * step, to, toAt + i * targetStep);
        }
    }

    private static void ints(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop) {
        int count = loop.size();
        long step = loop.fromBytes();
        long targetStep = loop.toBytes();
        for (int i = 0; i < count; i++) {
            RawMemory.copyInt(from, fromAt + i * step, to, toAt + i * targetStep);
        }
    }

    private static void longs(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop) {
        int count = loop.size();
        long step = loop.fromBytes();
        long targetStep = loop.toBytes();
        for (int i = 0; i < count; i++) {
            RawMemory.copyLong(from, fromAt + i * step, to, toAt + i * targetStep);
        }
    }
}
