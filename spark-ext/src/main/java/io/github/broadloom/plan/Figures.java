package io.github.broadloom.plan;

import java.time.Duration;
import java.util.Locale;

/** Numbers as a person reads them. */
public final class Figures {
    private Figures() {}

    /** For instance {@code 12 B}, {@code 294.0 MiB}. */
    public static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1024 && unit < 4) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %siB", value, "KMGTP".charAt(unit));
    }

    /** For instance {@code 12 ms}, {@code 3.4 s}, {@code 2 min 5 s}. */
    public static String time(Duration time) {
        if (time.toMillis() < 1000) {
            return time.toMillis() + " ms";
        }
        return time.toMinutes() < 1
                ? String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3)
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }

    /** For instance {@code 1 job}, {@code 2 jobs}. */
    public static String count(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
