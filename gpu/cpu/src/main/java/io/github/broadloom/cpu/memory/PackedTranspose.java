package io.github.broadloom.cpu.memory;

import io.github.broadloom.cpu.memory.BoxCopy.Loop;
import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Transposes a block of bytes whose rows are gapless at the source and its columns at the target: reads eight rows side
 * by side and writes words of eight bytes. Elements of four bytes, packed by two, take half as long again as one by one.
 */
final class PackedTranspose {
    /** How many rows are packed together. */
    static final int ROWS = Long.BYTES;

    private PackedTranspose() {}

    /** Whether a block can be transposed so. */
    static boolean packs(int elementBytes, Loop rows, Loop columns) {
        return elementBytes == 1
                && columns.fromBytes() == 1
                && rows.toBytes() == 1
                && rows.size() >= ROWS
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Copies {@link #ROWS} rows, {@code rowStep} apart at the source. */
    static void copy(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, long rowStep, Loop columns) {
        int count = columns.size();
        long step = columns.toBytes();
        for (int i = 0; i < count; i++) {
            long low = pack(from, fromAt + i, rowStep);
            long high = pack(from, fromAt + i + 4 * rowStep, rowStep);
            RawMemory.putLong(to, toAt + i * step, low | high << Integer.SIZE);
        }
    }

    private static long pack(@Nullable Object from, long at, long rowStep) {
        return (RawMemory.getByte(from, at) & 0xFFL)
                | (RawMemory.getByte(from, at + rowStep) & 0xFFL) << 8
                | (RawMemory.getByte(from, at + 2 * rowStep) & 0xFFL) << 16
                | (RawMemory.getByte(from, at + 3 * rowStep) & 0xFFL) << 24;
    }
}
