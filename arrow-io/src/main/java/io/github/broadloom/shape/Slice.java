package io.github.broadloom.shape;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Python slice {@code start:stop:step} with a positive step. Negative bounds count from the end and bounds past an end
 * stop there; null means "from the first" and "to the last".
 */
public record Slice(@Nullable Long start, @Nullable Long stop, long step) {
    private static final Pattern FORM = Pattern.compile("\\s*(-?\\d+)?\\s*:\\s*(-?\\d+)?\\s*(?::\\s*(-?\\d+)?\\s*)?");
    private static final Slice ALL = new Slice(null, null, 1);

    public Slice {
        if (step <= 0) {
            throw new IllegalArgumentException("slice step must be positive");
        }
    }

    /** Everything: {@code :}. */
    public static Slice all() {
        return ALL;
    }

    /** {@code start:stop}. */
    public static Slice of(long start, long stop) {
        return new Slice(start, stop, 1);
    }

    /** {@code start:stop:step}. */
    public static Slice of(long start, long stop, long step) {
        return new Slice(start, stop, step);
    }

    /** {@code start:}. */
    public static Slice from(long start) {
        return new Slice(start, null, 1);
    }

    /** {@code :stop}. */
    public static Slice to(long stop) {
        return new Slice(null, stop, 1);
    }

    /** {@code ::step}. */
    public static Slice every(long step) {
        return new Slice(null, null, step);
    }

    /**
     * Reads Python's notation, for example {@code 1:-1}.
     *
     * @throws IllegalArgumentException where the text is no slice
     */
    public static Slice parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Cannot read slice: '" + text + "'; write start:stop or start:stop:step");
        }
        try {
            Long step = bound(matcher.group(3));
            return new Slice(bound(matcher.group(1)), bound(matcher.group(2)), step == null ? 1 : step);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Cannot read slice: '" + text + "'; its bounds must fit in 64 bits", e);
        }
    }

    private static @Nullable Long bound(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }

    /** The first index that this takes of a dimension of that size; the size itself where it takes none after it. */
    public long first(long size) {
        return start == null ? 0 : clamp(start, size);
    }

    /** How many indices this takes of a dimension of that size. */
    public long count(long size) {
        long first = first(size);
        long last = stop == null ? size : clamp(stop, size);
        return last <= first ? 0 : (last - first - 1) / step + 1;
    }

    private static long clamp(long bound, long size) {
        return Math.max(0, Math.min(bound < 0 ? bound + size : bound, size));
    }

    @Override
    public String toString() {
        String bounds = (start == null ? "" : start) + ":" + (stop == null ? "" : stop);
        return step == 1 ? bounds : bounds + ":" + step;
    }
}
