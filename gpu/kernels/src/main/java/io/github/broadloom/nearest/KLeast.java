package io.github.broadloom.nearest;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The k least keys of each of some rows among those that it was offered, with what has them; of equal keys those of the least ids. They are the same in whatever order they are offered. Ranks
 * that are floating numbers have {@linkplain #key keys} of their order.
 */
public final class KLeast {
    private final int k;
    private final int[] counts;
    /** A heap for each row, the greatest first. */
    private final long[] keys;

    private final long[] ids;

    /** @throws IllegalArgumentException where there are more than fit in an array */
    public KLeast(int rows, int k) {
        if ((long) rows * k > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("Cannot keep the " + k + " nearest of " + rows
                    + " rows at a time: these are " + (long) rows * k + " places; take fewer rows");
        }
        this.k = k;
        this.counts = new int[rows];
        this.keys = new long[rows * k];
        this.ids = new long[rows * k];
    }

    /** The bytes that it takes of the heap. */
    public static long bytes(long rows, int k) {
        return rows * k * 2 * Long.BYTES + rows * Integer.BYTES;
    }

    /** A whole number of the order of ranks: 0.0 and -0.0 are the same, NaN is greater than any other. */
    public static long key(double rank) {
        return ordered(Double.doubleToLongBits(rank + 0.0));
    }

    /** The rank of a key. */
    public static double rank(long key) {
        return Double.longBitsToDouble(ordered(key));
    }

    private static long ordered(long bits) {
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    public void clear() {
        Arrays.fill(counts, 0);
    }

    /** How many of a row there are: at most k. */
    public int count(int row) {
        return counts[row];
    }

    /** Takes a key, if it is among the k least of its row so far. */
    public void offer(int row, long key, long id) {
        int first = row * k;
        int count = counts[row];
        if (count < k) {
            counts[row] = count + 1;
            rise(first, count, key, id);
        } else if (isBefore(key, id, keys[first], ids[first])) {
            sink(first, k, key, id);
        }
    }

    private static boolean isBefore(long key, long id, long otherKey, long otherId) {
        return key < otherKey || key == otherKey && id < otherId;
    }

    private void rise(int first, int from, long key, long id) {
        int at = from;
        while (at > 0) {
            int above = (at - 1) / 2;
            if (!isBefore(keys[first + above], ids[first + above], key, id)) {
                break;
            }
            move(first + above, first + at);
            at = above;
        }
        put(first + at, key, id);
    }

    /** Puts one in the place of the first of so many. */
    private void sink(int first, int count, long key, long id) {
        int at = 0;
        for (int below = 1; below < count; below = 2 * at + 1) {
            int other = below + 1;
            if (other < count
                    && isBefore(keys[first + below], ids[first + below], keys[first + other], ids[first + other])) {
                below = other;
            }
            if (!isBefore(key, id, keys[first + below], ids[first + below])) {
                break;
            }
            move(first + below, first + at);
            at = below;
        }
        put(first + at, key, id);
    }

    private void move(int from, int to) {
        put(to, keys[from], ids[from]);
    }

    private void put(int at, long key, long id) {
        keys[at] = key;
        ids[at] = id;
    }

    /** Puts those of a row into their order, the least first; none may be offered to it afterwards. */
    public void sort(int row) {
        int first = row * k;
        for (int end = counts[row] - 1; end > 0; end--) {
            long key = keys[first + end];
            long id = ids[first + end];
            move(first, first + end);
            sink(first, end, key, id);
        }
    }

    /** The key of the one at a place of a row, which is in order once the row is {@linkplain #sort sorted}. */
    public long key(int row, int place) {
        return keys[row * k + place];
    }

    /** What all rows have, in no order. */
    public LongStream ids() {
        return IntStream.range(0, counts.length)
                .boxed()
                .flatMapToLong(row -> Arrays.stream(ids, row * k, row * k + counts[row]));
    }

    /** What has {@link #key(int, int)}. */
    public long id(int row, int place) {
        return ids[row * k + place];
    }
}
