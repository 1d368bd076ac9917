package io.github.broadloom.source;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Some rows of a tensor, by their places: ranges that ascend and do not touch. */
record RowRanges(List<Range> ranges) implements Serializable {
    private static final int MOST_SHOWN = 8;

    static final RowRanges NONE = new RowRanges(List.of());

    /** The rows {@code start <= row < end}, at least one. */
    record Range(long start, long end) implements Serializable {
        @Override
        public String toString() {
            return start + ":" + end;
        }
    }

    static RowRanges of(long start, long end) {
        return start < end ? new RowRanges(List.of(new Range(start, end))) : NONE;
    }

    long count() {
        return ranges.stream().mapToLong(range -> range.end - range.start).sum();
    }

    RowRanges or(RowRanges other) {
        return joined(Stream.concat(ranges.stream(), other.ranges.stream()));
    }

    /** The rows that are in any of some ranges, which may overlap. */
    static RowRanges joined(Stream<Range> any) {
        List<Range> sorted = any.sorted(Comparator.comparingLong(Range::start)).toList();
        List<Range> joined = new ArrayList<>();
        for (Range range : sorted) {
            int last = joined.size() - 1;
            if (last >= 0 && range.start <= joined.get(last).end) {
                Range before = joined.remove(last);
                joined.add(new Range(before.start, Math.max(before.end, range.end)));
            } else {
                joined.add(range);
            }
        }
        return new RowRanges(List.copyOf(joined));
    }

    RowRanges and(RowRanges other) {
        List<Range> both = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < ranges.size() && j < other.ranges.size()) {
            Range mine = ranges.get(i);
            Range others = other.ranges.get(j);
            both.addAll(of(Math.max(mine.start, others.start), Math.min(mine.end, others.end)).ranges);
            if (mine.end < others.end) {
                i++;
            } else {
                j++;
            }
        }
        return new RowRanges(List.copyOf(both));
    }

    /** As NumPy slices, the first of them: {@code 10:20, 90:91}. */
    @Override
    public String toString() {
        return ranges.stream().limit(MOST_SHOWN).map(Range::toString).collect(Collectors.joining(", "))
                + (ranges.size() > MOST_SHOWN ? ", …" : "");
    }
}
