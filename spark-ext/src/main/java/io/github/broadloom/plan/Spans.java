package io.github.broadloom.plan;

import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What the indices of a stage stand for along a dimension, where each stands for some that follow each other, and none of them begins or ends before those of the index before: segments that are
 * reduced, or places that ascend. A chunk needs what there is from the start of its first one to the end of its last one.
 *
 * @param starts of each, and where one more would start
 * @param ends at {@code i} of the one before {@code i}
 * @param size of the dimension
 * @param shift what is added to the index of a stage to have the number of one
 */
record Spans(long[] starts, long[] ends, long size, long shift) implements Serializable {

    /**
     * Of segments that follow each other.
     *
     * @param ends int64, of each the index behind its last one
     */
    static Spans ofSegments(Tensor ends) {
        long[] each = ends.contiguous().toLongArray();
        long[] starts = new long[each.length + 1];
        System.arraycopy(each, 0, starts, 1, each.length);
        return new Spans(starts, starts, starts[each.length], 0);
    }

    /**
     * Of single indices of a dimension of that size.
     *
     * @param places ascending
     */
    static Spans ofPlaces(long[] places, long size) {
        long[] starts = Arrays.copyOf(places, places.length + 1);
        long[] ends = new long[places.length + 1];
        Arrays.setAll(ends, i -> i == 0 ? 0 : places[i - 1] + 1);
        starts[places.length] = ends[places.length];
        return new Spans(starts, ends, size, 0);
    }

    /** The same, of a stage whose indices are that much less. */
    Spans from(long moreShift) {
        return new Spans(starts, ends, size, shift + moreShift);
    }

    /** The same where what these are of has spans itself, of which it has those from {@code offset} on. */
    Spans over(Spans below, long offset) {
        return new Spans(
                Arrays.stream(starts).map(start -> below.start(start + offset)).toArray(),
                Arrays.stream(ends).map(end -> below.end(end + offset)).toArray(),
                below.size,
                shift);
    }

    /** Whether each begins where the one before ends, so that chunks have none in common. */
    boolean followEachOther() {
        return Arrays.equals(starts, ends);
    }

    /** The first index for that index of the stage. */
    long start(long stage) {
        return starts[number(stage)];
    }

    /** Behind the last index for the one before that index of the stage. */
    long end(long stage) {
        return ends[number(stage)];
    }

    private int number(long stage) {
        return (int) Math.max(0, Math.min(starts.length - 1, stage + shift));
    }

    /** The most indices for so many of the stage that follow each other. */
    long most(long stage) {
        int count = (int) Math.min(stage, starts.length - 1);
        long most = 0;
        for (int i = 0; i + count < starts.length; i++) {
            most = Math.max(most, ends[i + count] - starts[i]);
        }
        return most;
    }

    /** Where a stage of that size is cut so that its chunks begin where cuts of the indices are, or at the last one that begins before. */
    KnownCuts cuts(KnownCuts indices, long stageSize) {
        long[] bounds = indices.bounds();
        long[] cuts = new long[bounds.length];
        int last = bounds.length - 1;
        int count = 0;
        for (int i = 0; i <= last; i++) {
            long cut = Math.max(0, Math.min(stageSize, i == last ? stageEnd(bounds[i]) : stage(bounds[i], i == 0)));
            if (count == 0 || cut > cuts[count - 1]) {
                cuts[count++] = cut;
            }
        }
        return new KnownCuts(Arrays.copyOf(cuts, count));
    }

    /** The stage's index that an index is for: behind those without indices that begin there, or before them. */
    private long stage(long index, boolean before) {
        int number = floor(index);
        while (before && number > 0 && ends[number - 1] == ends[number]) {
            number--;
        }
        return number - shift;
    }

    private long stageEnd(long index) {
        int number = floor(index);
        return (ends[number] < index ? number + 1 : number) - shift;
    }

    /** The last one before which none ends later. */
    private int floor(long index) {
        int at = Arrays.binarySearch(ends, index);
        int number = at < 0 ? Math.max(0, -at - 2) : at;
        while (number + 1 < ends.length && ends[number + 1] <= index) {
            number++;
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Spans those
                && shift == those.shift
                && size == those.size
                && Arrays.equals(starts, those.starts)
                && Arrays.equals(ends, those.ends);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(starts) + Arrays.hashCode(ends)) + Long.hashCode(shift);
    }

    @Override
    public String toString() {
        return "spans of " + size + ", from " + shift + " on";
    }
}
