package io.github.broadloom.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Where the chunks of a source begin and end along a dimension of a stage.
 *
 * @param bounds ascending: the first index of the stage's that the source has elements for, each cut between, and the index after the last
 */
record KnownCuts(long[] bounds) {
    long start() {
        return bounds[0];
    }

    long end() {
        return bounds[bounds.length - 1];
    }

    /** The most indices between two of them. */
    long most() {
        long most = 0;
        for (int i = 1; i < bounds.length; i++) {
            most = Math.max(most, bounds[i] - bounds[i - 1]);
        }
        return most;
    }

    boolean coverAll(long size) {
        return start() == 0 && end() == size;
    }

    boolean overlap(KnownCuts other) {
        return start() < other.end() && other.start() < end();
    }

    /** The cuts of a dimension of that size where these parts of it, none of which overlap, are cut so, and the rest is not cut. */
    static RowGrid joined(List<KnownCuts> parts, long size) {
        long[] all = parts.stream()
                .sorted(Comparator.comparingLong(KnownCuts::start))
                .flatMapToLong(part -> Arrays.stream(part.bounds))
                .toArray();
        long[] bounds = new long[all.length + 2];
        int count = 1; // the dimension's own first index
        for (long bound : all) {
            if (bound > bounds[count - 1] && bound < size) {
                bounds[count++] = bound;
            }
        }
        bounds[count++] = size;
        return RowGrid.of(Arrays.copyOf(bounds, count));
    }
}
