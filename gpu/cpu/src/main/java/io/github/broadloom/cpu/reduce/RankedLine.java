package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.LineOp;

/**
 * Finds the first values of a line in order, all or some. A few among many are those below a bound, which sinks as they come: what is not below the last of the values found so far is not looked at again, and the others are
 * sorted when they have become too many, so that a line takes time in proportion to its length. Equal values come in the order of the line.
 */
public final class RankedLine {
    private static final int TILE = 1 << 10;

    private final DType dtype;
    private final LineOp op;
    private final int length;
    private final int ranks;
    private final int capacity;
    private final KeySort sort;
    private final long[] tile;

    /** For lines of that dtype and length. */
    public RankedLine(LineOp op, DType dtype, int length) {
        this.dtype = dtype;
        this.op = op;
        this.length = length;
        this.ranks = (int) op.ranks(length);
        this.capacity = (int) op.sortedAtATime(length);
        this.sort = new KeySort(capacity, SortKeys.bits(dtype));
        this.tile = new long[capacity < length ? TILE : 0];
    }

    /** How many values are found. */
    public int ranks() {
        return ranks;
    }

    /**
     * Where the first values in order stand in the line.
     *
     * @param elements the line, as it is stored
     * @return as many as {@link #ranks}, and whatever else behind; until the next call
     */
    public int[] places(Object elements) {
        if (ranks == 0) {
            return sort.places();
        }
        if (capacity < length) {
            select(elements);
        } else {
            SortKeys.of(dtype, op.order(), elements, 0, length, sort.keys(), 0);
            number(sort.places(), length);
            sort.sort(length);
        }
        return sort.places();
    }

    private static void number(int[] places, int count) {
        for (int i = 0; i < count; i++) {
            places[i] = i;
        }
    }

    private void select(Object elements) {
        int found = 0;
        boolean isFull = false;
        for (int from = 0; from < length; from += TILE) {
            int count = Math.min(TILE, length - from);
            SortKeys.of(dtype, op.order(), elements, from, count, tile, 0);
            for (int done = 0; done < count; ) {
                long bound = isFull ? sort.keys()[ranks - 1] : Long.MAX_VALUE;
                int room = capacity - found;
                int end = Math.min(count, done + room);
                found = isFull ? below(bound, done, end, from, found) : all(done, end, from, found);
                done = end;
                if (found == capacity) {
                    sort.sort(found);
                    found = ranks;
                    isFull = true;
                }
            }
        }
        sort.sort(found);
    }

    private int all(int first, int end, int from, int found) {
        long[] keys = sort.keys();
        int[] places = sort.places();
        int at = found;
        for (int i = first; i < end; i++) {
            keys[at] = tile[i];
            places[at++] = from + i;
        }
        return at;
    }

    private int below(long bound, int first, int end, int from, int found) {
        long[] keys = sort.keys();
        int[] places = sort.places();
        int at = found;
        for (int i = first; i < end; i++) {
            if (tile[i] < bound) {
                keys[at] = tile[i];
                places[at++] = from + i;
            }
        }
        return at;
    }
}
