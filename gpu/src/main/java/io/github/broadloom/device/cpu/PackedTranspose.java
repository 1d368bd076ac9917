package io.github.broadloom.device.cpu;

import io.github.broadloom.device.cpu.StridedCopy.Loop;
import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Transposes a block whose rows are gapless at the source and its columns at the target: reads several rows side by
 * side and writes words of eight bytes, a half or a fourth as many stores as elements. How fast single stores are depends much on
 * where source and target lie; this does not.
 */
final class PackedTranspose {
    private PackedTranspose() {}

    /** How many rows are packed together; 0 where it cannot be done. */
    static int rows(int elementBytes, Loop rows, Loop columns) {
        boolean transposes = columns.fromBytes() == elementBytes
                && rows.toBytes() == elementBytes
                && columns.toBytes() % Long.BYTES == 0
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        int packed = elementBytes == 1 ? 8 : 4;
        return transposes && elementBytes < Long.BYTES && rows.size() >= packed ? packed : 0;
    }

    /** Copies {@link #rows} rows. */
    static void copy(
            int elementBytes,
            @Nullable Object from,
            long fromAt,
            @Nullable Object to,
            long toAt,
            long rowStep,
            Loop columns) {
        switch (elementBytes) {
            case 1 -> bytes(from, fromAt, to, toAt, rowStep, columns);
            case 2 -> shorts(from, fromAt, to, toAt, rowStep, columns);
            default -> ints(from, fromAt, to, toAt, rowStep, columns);
        }
    }

    private static void bytes(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, long rowStep, Loop columns) {
        int count = columns.size();
        long step = columns.toBytes();
        for (int i = 0; i < count; i++) {
            long low = packBytes(from, fromAt + i, rowStep);
            long high = packBytes(from, fromAt + i + 4 * rowStep, rowStep);
            RawMemory.putLong(to, toAt + i * step, low | high << Integer.SIZE);
        }
    }

    private static long packBytes(@Nullable Object from, long at, long rowStep) {
        return RawMemory.getByte(from, at) & 0xFFL
                | (RawMemory.getByte(from, at + rowStep) & 0xFFL) << 8
                | (RawMemory.getByte(from, at + 2 * rowStep) & 0xFFL) << 16
                | (RawMemory.getByte(from, at + 3 * rowStep) & 0xFFL) << 24;
    }

    private static void shorts(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, long rowStep, Loop columns) {
        int count = columns.size();
        long step = columns.toBytes();
        for (int i = 0; i < count; i++) {
            long at = fromAt + i * (long) Short.BYTES;
            long word = RawMemory.getShort(from, at) & 0xFFFFL
                    | (RawMemory.getShort(from, at + rowStep) & 0xFFFFL) << 16
                    | (RawMemory.getShort(from, at + 2 * rowStep) & 0xFFFFL) << 32
                    | (long) RawMemory.getShort(from, at + 3 * rowStep) << 48;
            RawMemory.putLong(to, toAt + i * step, word);
        }
    }

    private static void ints(
            @Nullable Object from, long fromAt, @Nullable Object to, long toAt, long rowStep, Loop columns) {
        int count = columns.size();
        long step = columns.toBytes();
        for (int i = 0; i < count; i++) {
            long at = fromAt + i * (long) Integer.BYTES;
            long first = RawMemory.getInt(from, at) & 0xFFFFFFFFL
                    | (long) RawMemory.getInt(from, at + rowStep) << Integer.SIZE;
            long second = RawMemory.getInt(from, at + 2 * rowStep) & 0xFFFFFFFFL
                    | (long) RawMemory.getInt(from, at + 3 * rowStep) << Integer.SIZE;
            RawMemory.putLong(to, toAt + i * step, first);
            RawMemory.putLong(to, toAt + i * step + Long.BYTES, second);
        }
    }
}
