package io.github.broadloom.shape;

/** Small edits of long arrays that {@link java.util.Arrays} lacks. */
final class LongArrays {
    private LongArrays() {}

    static long[] without(long[] values, int at) {
        long[] shorter = new long[values.length - 1];
        System.arraycopy(values, 0, shorter, 0, at);
        System.arraycopy(values, at + 1, shorter, at, shorter.length - at);
        return shorter;
    }

    static long[] insert(long[] values, int at, long value) {
        long[] longer = new long[values.length + 1];
        System.arraycopy(values, 0, longer, 0, at);
        longer[at] = value;
        System.arraycopy(values, at, longer, at + 1, values.length - at);
        return longer;
    }

    static long[] with(long[] values, int at, long value) {
        long[] changed = values.clone();
        changed[at] = value;
        return changed;
    }
}
