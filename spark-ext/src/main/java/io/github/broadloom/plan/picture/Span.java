package io.github.broadloom.plan.picture;

/** A part of a side of a drawing, as fractions of its length. */
record Span(double from, double to) {
    static final Span ALL = new Span(0, 1);

    /** Less than any part that could be seen. */
    static final double SLIGHTLY = 1e-9;

    /** As long at least, where it is not empty, about the same middle. */
    Span atLeast(double length) {
        double missing = Math.min(1, length) - (to - from);
        double start = Math.max(0, Math.min(from - missing / 2, 1 - Math.min(1, length)));
        return missing <= 0 || from >= to ? this : new Span(start, start + Math.min(1, length));
    }

    static Span of(long from, long to, long size) {
        return size <= 0 ? ALL : new Span((double) from / size, (double) to / size);
    }
}
