package io.github.broadloom.device;

/** How many threads of this machine one evaluation may use. */
public final class Threads {
    /** The system property that bounds {@link #local()}. */
    public static final String PROPERTY = "broadloom.threads";

    private Threads() {}

    /**
     * For what a program evaluates by itself: all processors, or the system property {@code broadloom.threads}. A Spark
     * task does not ask: it has one thread, because Spark runs as many tasks as there are cores.
     *
     * @throws IllegalArgumentException where the property is no number above zero
     */
    public static int local() {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        try {
            int threads = Integer.parseInt(text.trim());
            if (threads > 0) {
                return threads;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new IllegalArgumentException(
                "Cannot use " + PROPERTY + "=" + text + ": it is the number of threads, at least 1");
    }
}
