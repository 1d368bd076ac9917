package io.github.broadloom.cpu.reduce;

import java.util.Arrays;

/**
 * Sorts keys, each beside a place, from the smallest on; equal keys keep their order. By the digits of the keys from the lowest on, those that all keys have in common left out, so that a line takes a
 * few passes however long it is; a short one by insertion.
 */
final class KeySort {
    private static final int MOST_INSERTED = 40;
    private static final int FEWEST_FOR_WIDE_DIGITS = 4096;
    private static final int WIDE_DIGIT_BITS = 11;

    private final int digitBits;
    /** Whether keys and places are sorted together in one array: of keys of at most 32 bits. */
    private final boolean isPacked;

    /** Brings keys of 64 bits into the order of unsigned numbers. */
    private final long flip;

    private final int[][] counts;
    private long[] keys;
    private int[] places;
    private long[] otherKeys;
    private int[] otherPlaces;

    /**
     * A sort with room of its own.
     *
     * @param keyBits of keys that are not negative, or 64
     */
    KeySort(int capacity, int keyBits) {
        boolean isWide = capacity >= FEWEST_FOR_WIDE_DIGITS && keyBits > Short.SIZE;
        this.isPacked = keyBits <= Integer.SIZE;
        this.digitBits = isWide ? WIDE_DIGIT_BITS : Byte.SIZE;
        this.flip = keyBits == Long.SIZE ? Long.MIN_VALUE : 0;
        this.counts = new int[(keyBits + digitBits - 1) / digitBits][1 << digitBits];
        this.keys = new long[capacity];
        this.places = new int[capacity];
        this.otherKeys = new long[capacity];
        this.otherPlaces = new int[isPacked ? 0 : capacity];
    }

    /** To be filled, and sorted afterwards. Another array after each sort. */
    long[] keys() {
        return keys;
    }

    /** As {@link #keys}. */
    int[] places() {
        return places;
    }

    /** Sorts the first {@code count} keys. */
    void sort(int count) {
        if (count <= MOST_INSERTED) {
            insert(count);
            return;
        }
        if (isPacked) {
            for (int i = 0; i < count; i++) {
                keys[i] = keys[i] << Integer.SIZE | places[i];
            }
        }
        int lowest = isPacked ? Integer.SIZE : 0;
        for (int digit = 0; digit < counts.length; digit++) {
            count(keys, count, lowest + digit * digitBits, flip, counts[digit]);
        }
        for (int digit = 0; digit < counts.length; digit++) {
            int shift = lowest + digit * digitBits;
            int[] starts = counts[digit];
            if (starts[(int) ((keys[0] ^ flip) >>> shift) & (starts.length - 1)] != count) {
                accumulate(starts);
                move(count, shift, starts);
            }
        }
        if (isPacked) {
            for (int i = 0; i < count; i++) {
                places[i] = (int) keys[i];
                keys[i] >>>= Integer.SIZE;
            }
        }
    }

    private static void count(long[] keys, int count, int shift, long flip, int[] counts) {
        int mask = counts.length - 1;
        Arrays.fill(counts, 0);
        for (int i = 0; i < count; i++) {
            counts[(int) ((keys[i] ^ flip) >>> shift) & mask]++;
        }
    }

    /** Makes of how many there are of each where each begins. */
    static void accumulate(int[] counts) {
        int start = 0;
        for (int i = 0; i < counts.length; i++) {
            int own = counts[i];
            counts[i] = start;
            start += own;
        }
    }

    private void move(int count, int shift, int[] starts) {
        if (isPacked) {
            scatter(keys, otherKeys, count, shift, starts);
            long[] moved = otherKeys;
            otherKeys = keys;
            keys = moved;
            return;
        }
        scatter(keys, places, otherKeys, otherPlaces, count, shift, flip, starts);
        long[] movedKeys = otherKeys;
        int[] movedPlaces = otherPlaces;
        otherKeys = keys;
        otherPlaces = places;
        keys = movedKeys;
        places = movedPlaces;
    }

    private static void scatter(
            long[] keys, int[] places, long[] toKeys, int[] toPlaces, int count, int shift, long flip, int[] starts) {
        int mask = starts.length - 1;
        for (int i = 0; i < count; i++) {
            long key = keys[i];
            int to = starts[(int) ((key ^ flip) >>> shift) & mask]++;
            toKeys[to] = key;
            toPlaces[to] = places[i];
        }
    }

    private static void scatter(long[] keys, long[] toKeys, int count, int shift, int[] starts) {
        int mask = starts.length - 1;
        for (int i = 0; i < count; i++) {
            long key = keys[i];
            toKeys[starts[(int) (key >>> shift) & mask]++] = key;
        }
    }

    private void insert(int count) {
        for (int i = 1; i < count; i++) {
            long key = keys[i];
            int place = places[i];
            int at = i;
            while (at > 0 && keys[at - 1] > key) {
                keys[at] = keys[at - 1];
                places[at] = places[at - 1];
                at--;
            }
            keys[at] = key;
            places[at] = place;
        }
    }
}
