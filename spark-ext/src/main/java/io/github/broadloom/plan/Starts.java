package io.github.broadloom.plan;

import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Where segments begin along a dimension: what a chunk of them needs are the indices from the start of its first one to that of the first one behind it.
 *
 * @param starts of each segment, and the end of the last one
 * @param shift what is added to the index of a stage to have that of a segment
 */
record Starts(long[] starts, long shift) implements Serializable {

    /**
     * Of segments that follow each other.
     *
     * @param ends int64, of each the index behind its last one
     */
    static Starts of(Tensor ends, long shift) {
        long[] each = ends.contiguous().toLongArray();
        long[] starts = new long[each.length + 1];
        System.arraycopy(each, 0, starts, 1, each.length);
        return new Starts(starts, shift);
    }

    /** The same where what has these starts are itself segments of something, of which it has those from {@code offset} on. */
    Starts over(Starts below, long offset) {
        return new Starts(
                Arrays.stream(starts).map(start -> below.at(start + offset)).toArray(), shift);
    }

    /** The first index for that index of the stage. */
    long at(long stage) {
        return starts[(int) Math.max(0, Math.min(starts.length - 1, stage + shift))];
    }

    long end() {
        return starts[starts.length - 1];
    }

    /** The most indices of so many segments that follow each other. */
    long most(long segments) {
        int count = (int) Math.min(segments, starts.length - 1);
        long most = 0;
        for (int i = 0; i + count < starts.length; i++) {
            most = Math.max(most, starts[i + count] - starts[i]);
        }
        return most;
    }

    /** Where a stage of that size is cut so that its chunks begin where cuts of the indices are, or at the last segment that begins before. */
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

    /** The stage's index of the segment that an index is of: behind those without indices that begin there, or before them. */
    private long stage(long index, boolean before) {
        int segment = floor(index);
        while (before && segment > 0 && starts[segment - 1] == starts[segment]) {
            segment--;
        }
        return segment - shift;
    }

    private long stageEnd(long index) {
        int segment = floor(index);
        return (starts[segment] < index ? segment + 1 : segment) - shift;
    }

    /** The last one that begins no later. */
    private int floor(long index) {
        int at = Arrays.binarySearch(starts, index);
        int segment = at < 0 ? -at - 2 : at;
        while (segment + 1 < starts.length && starts[segment + 1] <= index) {
            segment++;
        }
        return segment;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Starts those && shift == those.shift && Arrays.equals(starts, those.starts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(starts) + Long.hashCode(shift);
    }

    @Override
    public String toString() {
        return "segments of " + end() + ", from " + shift + " on";
    }
}
