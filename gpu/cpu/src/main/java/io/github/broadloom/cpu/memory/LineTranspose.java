package io.github.broadloom.cpu.memory;

import io.github.broadloom.cpu.memory.BoxCopy.Loop;
import io.github.broadloom.tensor.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * Transposes long lines of elements of four bytes, which are gapless at the source: reads eight of them side by side. So the processor
 * waits for eight lines of memory at a time, and half a cache line is written at once. Short lines, of one or two cache lines,
 * are faster one after the other.
 */
final class LineTranspose {
    /** How many lines are read side by side. */
    static final int LINES = 8;

    /** Shorter lines are not worth it. */
    private static final int FEWEST_ELEMENTS = 48;

    private LineTranspose() {}

    /** Whether lines can be read so, and are long enough. */
    static boolean interleaves(int elementBytes, Loop rows, Loop columns) {
        return elementBytes == Integer.BYTES
                && columns.fromBytes() == elementBytes
                && rows.toBytes() == elementBytes
                && rows.size() >= LINES
                && columns.size() >= FEWEST_ELEMENTS;
    }

    /** Copies {@link #LINES} lines, {@code lineStep} apart at the source and beside each other at the target. */
    static void copy(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, long lineStep, Loop columns) {
        long step2 = 2 * lineStep;
        long step3 = 3 * lineStep;
        long step4 = 4 * lineStep;
        long step5 = 5 * lineStep;
        long step6 = 6 * lineStep;
        long step7 = 7 * lineStep;
        int count = columns.size();
        for (int i = 0; i < count; i++) {
            long source = fromAt + (long) i * Integer.BYTES;
            long target = toAt + i * columns.toBytes();
            RawMemory.copyInt(from, source, to, target);
            RawMemory.copyInt(from, source + lineStep, to, target + 4);
            RawMemory.copyInt(from, source + step2, to, target + 8);
            RawMemory.copyInt(from, source + step3, to, target + 12);
            RawMemory.copyInt(from, source + step4, to, target + 16);
            RawMemory.copyInt(from, source + step5, to, target + 20);
            RawMemory.copyInt(from, source + step6, to, target + 24);
            RawMemory.copyInt(from, source + step7, to, target + 28);
        }
    }
}
