package io.github.broadloom.tensor;

import io.netty.util.internal.PlatformDependent;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sizes that system properties set: bytes, or with a unit as Spark writes them, such as {@code 512m} and {@code 2g}. */
public final class MemoryLimits {
    static final String LIMIT = "broadloom.memory.limit";
    static final String POOL = "broadloom.memory.pool";
    static final String IDLE = "broadloom.memory.idleSeconds";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgt]?)(?:i?b)?");
    private static final String UNITS = "kmgt";
    private static final long IDLE_SECONDS = 30;

    private MemoryLimits() {}

    /** The most that may be held and pooled together: what was asked for, else what the JVM grants direct buffers. */
    static long limitBytes() {
        long direct = PlatformDependent.maxDirectMemory();
        return bytes(LIMIT, direct > 0 ? direct : Runtime.getRuntime().maxMemory());
    }

    /** The most that may wait in the pool: what was asked for, else half of the limit. */
    static long poolBytes(long limitBytes) {
        return Math.min(limitBytes, bytes(POOL, limitBytes / 2));
    }

    /** Whether somebody asked for that size. */
    static boolean isSet(String property) {
        return System.getProperty(property) != null;
    }

    /** How long pages wait for a taker. */
    static long idleMillis() {
        return Long.getLong(IDLE, IDLE_SECONDS) * 1000;
    }

    /**
     * The size that a system property sets.
     *
     * @param otherwise what it is where the property is not set
     * @throws IllegalArgumentException where it is set to something else
     */
    public static long bytes(String property, long otherwise) {
        String text = System.getProperty(property);
        return text == null ? otherwise : bytes(property, text);
    }

    /** @throws IllegalArgumentException where it is no size */
    static long bytes(String property, String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Cannot use " + property + ": '" + text + "' is no size; give bytes, or a size such as 512m or 2g");
        }
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
    }
}
