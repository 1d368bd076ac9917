package io.github.broadloom.plan;

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

    /** For instance {@code 1 job}, {@code 2 jobs}. */
    public static String count(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
