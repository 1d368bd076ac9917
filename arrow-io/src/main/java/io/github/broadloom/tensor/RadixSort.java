package io.github.broadloom.tensor;

import java.util.Arrays;

/**
 * Sorts off-heap keys together with their positions. Equal keys keep their order. It goes by digits, the lowest first, in
 * as many passes as the largest key has digits, and needs 32 bytes a key besides the heap's one table of digits.
 */
final class RadixSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /** The sorted keys, and for each of them where it stood before; 64-bit integers both. */
    record Sorted(Storage keys, Storage positions) {
        long key(long at) {
            return RawMemory.getLong(keys.address() + Long.BYTES * at);
        }

        long position(long at) {
            return RawMemory.getLong(positions.address() + Long.BYTES * at);
        }

        void release() {
            keys.release();
            positions.release();
        }
    }

    private RadixSort() {}

    /**
     * Sorts; the storage of the keys is written over and becomes part of the result, or is released.
     *
     * @param keys {@code count} integers of 64 bits, none negative
     * @param largest no key is larger
     */
    static Sorted sort(Storage keys, long count, long largest) {
        Sorted from = new Sorted(keys, Storage.allocate(Long.BYTES * count));
        for (long i = 0; i < count; i++) {
            RawMemory.putLong(from.positions.address() + Long.BYTES * i, i);
        }
        Sorted to = new Sorted(Storage.allocate(Long.BYTES * count), Storage.allocate(Long.BYTES * count));
        long[] places = new long[DIGITS];
        for (int shift = 0; shift < Long.SIZE - 1 && largest >> shift != 0; shift += DIGIT_BITS) {
            countDigits(from.keys, count, shift, places);
            distribute(from, to, count, shift, places);
            Sorted swapped = from;
            from = to;
            to = swapped;
        }
        to.release();
        return from;
    }

    /** Sets {@code places} to where the first key with each digit goes. */
    private static void countDigits(Storage keys, long count, int shift, long[] places) {
        Arrays.fill(places, 0);
        long address = keys.address();
        for (long i = 0; i < count; i++) {
            places[digit(RawMemory.getLong(address + Long.BYTES * i), shift)]++;
        }
        long before = 0;
        for (int digit = 0; digit < DIGITS; digit++) {
            long here = places[digit];
            places[digit] = before;
            before += here;
        }
    }

    private static void distribute(Sorted from, Sorted to, long count, int shift, long[] places) {
        long fromKeys = from.keys.address();
        long fromPositions = from.positions.address();
        long toKeys = to.keys.address();
        long toPositions = to.positions.address();
        for (long i = 0; i < count; i++) {
            long key = RawMemory.getLong(fromKeys + Long.BYTES * i);
            long place = Long.BYTES * places[digit(key, shift)]++;
            RawMemory.putLong(toKeys + place, key);
            RawMemory.putLong(toPositions + place, RawMemory.getLong(fromPositions + Long.BYTES * i));
        }
    }

    private static int digit(long key, int shift) {
        return (int) (key >>> shift) & (DIGITS - 1);
    }
}
