package io.github.broadloom.tensor;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies a box of elements from one place to another, each with steps of its own: the one routine under everything that copies. A place is an array on
 * the heap, or off-heap memory.
 *
 * <p>Runs without gaps go by {@code copyMemory}, other elements by their width. A transposition reads eight long lines side by side, so that the processor
 * waits for eight lines of memory at a time and writes whole pieces of cache lines; it goes over the box in strips that the cache holds.
 */
public final class BoxCopy {
    /** A run of fewer bytes is copied faster by its elements than by a call. */
    private static final int SHORT_RUN_BYTES = 32;
    /** How many lines of a transposition are read side by side. */
    private static final int LINES = 8;
    /** Lines of one or two cache lines are faster one after the other, but for bytes, which are written eight at a time. */
    private static final int FEWEST_ELEMENTS = 48;

    private static final int STRIP = 512;
    private static final int STRIP_OF_SINGLE_LINES = 32;
    /** Keeps the innermost loops short, so that they are called often: one long call may stay in code that was compiled too early. */
    private static final int LONGEST_STRIP = 1 << 12;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /**
     * One loop.
     *
     * @param size its iterations
     * @param fromBytes the step at the source
     * @param toBytes the step at the target
     */
    public record Loop(long size, long fromBytes, long toBytes) {}

    private final int elementBytes;
    private final Loop[] outer;
    private final Loop rows;
    private final Loop columns;
    private final long runBytes;
    private final boolean isSideBySide;
    private final int strip;

    /** @param loops the outermost first, the innermost the one whose elements lie together; none copies one element */
    public BoxCopy(int elementBytes, List<Loop> loops) {
        this.elementBytes = elementBytes;
        int count = loops.size();
        this.columns = count > 0 ? loops.get(count - 1) : new Loop(1, elementBytes, elementBytes);
        this.rows = count > 1 ? loops.get(count - 2) : new Loop(1, 0, 0);
        this.outer = loops.subList(0, Math.max(0, count - 2)).toArray(Loop[]::new);
        boolean readsRuns = columns.fromBytes == elementBytes;
        boolean writesRuns = columns.toBytes == elementBytes;
        long bytes = columns.size * elementBytes;
        this.runBytes = readsRuns && writesRuns && bytes >= SHORT_RUN_BYTES ? bytes : 0;
        boolean transposes = readsRuns && rows.toBytes == elementBytes;
        this.isSideBySide = transposes && rows.size >= LINES && columns.size >= fewestElements(elementBytes);
        boolean isTiled = transposes || writesRuns && rows.fromBytes == elementBytes;
        this.strip = isSideBySide ? STRIP : isTiled ? STRIP_OF_SINGLE_LINES : LONGEST_STRIP;
    }

    private static int fewestElements(int elementBytes) {
        return elementBytes == 1 ? LINES : FEWEST_ELEMENTS;
    }

    /** The copy between two layouts, its loops in the order that suits the memory; strides are in elements, and of either sign. */
    public static BoxCopy of(int elementBytes, long[] sizes, long[] fromStrides, long[] toStrides) {
        List<Loop> loops = new ArrayList<>();
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] == 0) {
                return new BoxCopy(elementBytes, List.of(new Loop(0, 0, 0)));
            }
            addJoined(loops, new Loop(sizes[dim], fromStrides[dim] * elementBytes, toStrides[dim] * elementBytes));
        }
        moveInside(loops, loop -> loop.toBytes == elementBytes);
        moveInside(loops, loop -> loop.fromBytes == elementBytes && loop.size >= fewestElements(elementBytes));
        moveInside(loops, loop -> loop.fromBytes == elementBytes && loop.toBytes == elementBytes);
        return new BoxCopy(elementBytes, loops);
    }

    private static void addJoined(List<Loop> loops, Loop inner) {
        Loop around = loops.isEmpty() ? null : loops.get(loops.size() - 1);
        if (around != null
                && around.fromBytes == inner.fromBytes * inner.size
                && around.toBytes == inner.toBytes * inner.size) {
            loops.set(loops.size() - 1, new Loop(around.size * inner.size, inner.fromBytes, inner.toBytes));
        } else if (inner.size != 1) {
            loops.add(inner);
        }
    }

    private static void moveInside(List<Loop> loops, Predicate<Loop> wanted) {
        for (int i = loops.size() - 1; i >= 0; i--) {
            if (wanted.test(loops.get(i))) {
                loops.add(loops.remove(i));
                return;
            }
        }
    }

    /**
     * Copies the box; the two places must not overlap.
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
                copyStrips(from, fromAt, to, toAt);
            }
            return;
        }
        Loop steps = outer[loop];
        for (long i = 0; i < steps.size; i++) {
            copy(loop + 1, from, fromAt + i * steps.fromBytes, to, toAt + i * steps.toBytes);
        }
    }

    private void copyRuns(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        for (long row = 0; row < rows.size; row++) {
            RawMemory.copy(from, fromAt + row * rows.fromBytes, to, toAt + row * rows.toBytes, runBytes);
        }
    }

    private void copyStrips(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        for (long column = 0; column < columns.size; column += strip) {
            int count = (int) Math.min(strip, columns.size - column);
            copyStrip(from, fromAt + column * columns.fromBytes, to, toAt + column * columns.toBytes, count);
        }
    }

    private void copyStrip(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        long source = fromAt;
        long target = toAt;
        long row = 0;
        if (isSideBySide) {
            for (; row + LINES <= rows.size; row += LINES) {
                if (from == null
                        && to == null) { // what the JIT compiler knows to be off the heap it copies twice as fast
                    copyLines(null, source, null, target, count);
                } else {
                    copyLines(from, source, to, target, count);
                }
                source += LINES * rows.fromBytes;
                target += LINES * rows.toBytes;
            }
        }
        for (; row < rows.size; row++) {
            switch (elementBytes) {
                case 1 -> bytes(from, source, to, target, columns, count);
                case 2 -> shorts(from, source, to, target, columns, count);
                case 4 -> ints(from, source, to, target, columns, count);
                default -> longs(from, source, to, target, columns, count);
            }
            source += rows.fromBytes;
            target += rows.toBytes;
        }
    }

    /** Copies eight lines to places beside each other. */
    private void copyLines(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        switch (elementBytes) {
            case 1 -> packedBytes(from, fromAt, to, toAt, count);
            case 2 -> linesOfShorts(from, fromAt, to, toAt, count);
            case 4 -> linesOfInts(from, fromAt, to, toAt, count);
            default -> linesOfLongs(from, fromAt, to, toAt, count);
        }
    }

    private void packedBytes(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        long step = rows.fromBytes;
        long targetStep = columns.toBytes;
        for (int i = 0; i < count; i++) {
            long word = pack(from, fromAt + i, step) | pack(from, fromAt + i + 4 * step, step) << Integer.SIZE;
            RawMemory.putLong(to, toAt + i * targetStep, LITTLE_ENDIAN ? word : Long.reverseBytes(word));
        }
    }

    private static long pack(@Nullable Object from, long at, long step) {
        return (RawMemory.getByte(from, at) & 0xFFL)
                | (RawMemory.getByte(from, at + step) & 0xFFL) << 8
                | (RawMemory.getByte(from, at + 2 * step) & 0xFFL) << 16
                | (RawMemory.getByte(from, at + 3 * step) & 0xFFL) << 24;
    }

    private void linesOfShorts(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        long step = rows.fromBytes;
        long targetStep = columns.toBytes;
        for (int i = 0; i < count; i++) {
            long source = fromAt + 2L * i;
            long target = toAt + targetStep * i;
            for (int line = 0; line < LINES; line++) {
                RawMemory.copyShort(from, source + step * line, to, target + 2L * line);
            }
        }
    }

    private void linesOfInts(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        long step = rows.fromBytes;
        long targetStep = columns.toBytes;
        for (int i = 0; i < count; i++) {
            long source = fromAt + 4L * i;
            long target = toAt + targetStep * i;
            for (int line = 0; line < LINES; line++) {
                RawMemory.copyInt(from, source + step * line, to, target + 4L * line);
            }
        }
    }

    private void linesOfLongs(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, int count) {
        long step = rows.fromBytes;
        long targetStep = columns.toBytes;
        for (int i = 0; i < count; i++) {
            long source = fromAt + 8L * i;
            long target = toAt + targetStep * i;
            for (int line = 0; line < LINES; line++) {
                RawMemory.copyLong(from, source + step * line, to, target + 8L * line);
            }
        }
    }

    private static void bytes(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop, int count) {
        long step = loop.fromBytes;
        long targetStep = loop.toBytes;
        long source = fromAt;
        long target = toAt;
        if (from == null && to == null) {
            for (int i = 0; i < count; i++, source += step, target += targetStep) {
                RawMemory.putByte(target, RawMemory.getByte(source));
            }
            return;
        }
        for (int i = 0; i < count; i++, source += step, target += targetStep) {
            RawMemory.copyByte(from, source, to, target);
        }
    }

    private static void shorts(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop, int count) {
        long step = loop.fromBytes;
        long targetStep = loop.toBytes;
        long source = fromAt;
        long target = toAt;
        if (from == null && to == null) {
            for (int i = 0; i < count; i++, source += step, target += targetStep) {
                RawMemory.putShort(target, RawMemory.getShort(source));
            }
            return;
        }
        for (int i = 0; i < count; i++, source += step, target += targetStep) {
            RawMemory.copyShort(from, source, to, target);
        }
    }

    private static void ints(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop, int count) {
        long step = loop.fromBytes;
        long targetStep = loop.toBytes;
        long source = fromAt;
        long target = toAt;
        if (from == null && to == null) {
            for (int i = 0; i < count; i++, source += step, target += targetStep) {
                RawMemory.putInt(target, RawMemory.getInt(source));
            }
            return;
        }
        for (int i = 0; i < count; i++, source += step, target += targetStep) {
            RawMemory.copyInt(from, source, to, target);
        }
    }

    private static void longs(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, Loop loop, int count) {
        long step = loop.fromBytes;
        long targetStep = loop.toBytes;
        long source = fromAt;
        long target = toAt;
        if (from == null && to == null) {
            for (int i = 0; i < count; i++, source += step, target += targetStep) {
                RawMemory.putLong(target, RawMemory.getLong(source));
            }
            return;
        }
        for (int i = 0; i < count; i++, source += step, target += targetStep) {
            RawMemory.copyLong(from, source, to, target);
        }
    }
}
