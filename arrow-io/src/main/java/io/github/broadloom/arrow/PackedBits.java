package io.github.broadloom.arrow;

import io.github.broadloom.tensor.RawMemory;

/** Arrow's bools, eight to the byte from the lowest bit on, against the storage's, one byte each. */
final class PackedBits {
    private static final long LOW_BITS = 0x0101010101010101L;

    private PackedBits() {}

    /** Packs {@code count} bytes from {@code bytes} into bits, and clears the rest of the last byte. */
    static void pack(long bytes, long bits, long count) {
        for (long i = 0; i < count; i += 8) {
            int packed = 0;
            long end = Math.min(8, count - i);
            for (int bit = 0; bit < end; bit++) {
                packed |= (RawMemory.getByte(bytes + i + bit) & 1) << bit;
            }
            RawMemory.putByte(bits + (i >>> 3), (byte) packed);
        }
    }

    /** Spreads {@code count} bits into bytes of 0 and 1. */
    static void unpack(long bits, long bytes, long count) {
        long whole = count & ~7L;
        for (long i = 0; i < whole; i += 8) {
            RawMemory.putLong(bytes + i, spread(RawMemory.getByte(bits + (i >>> 3)) & 0xff));
        }
        for (long i = whole; i < count; i++) {
            RawMemory.putByte(bytes + i, (byte) (RawMemory.getByte(bits + (i >>> 3)) >>> (i & 7) & 1));
        }
    }

    /** Bit i of {@code packed} in byte i of the result, which is little endian as Arrow is. */
    private static long spread(int packed) {
        // Every byte gets a copy, keeps its own bit, and turns it into 1 by a carry into the high bit.
        long own = packed * LOW_BITS & 0x8040201008040201L;
        return (own + 0x7f7f7f7f7f7f7f7fL) >>> 7 & LOW_BITS;
    }
}
