package io.github.broadloom.device;

/** How many threads of this machine one evaluation may use. */
public final class Threads {
    private Threads() {}

    /**
     * For what a program evaluates by itself: all processors, or the system property {@code broadloom.threads}. A Spark
     * task does not ask: it has one thread, because Spark runs as many tasks as there are cores.
     *
     * @throws IllegalArgumentException where the property is no number above zero
     */
    public static int local() {
        return DeviceSettings.THREADS.inJvm().orElseGet(Runtime.getRuntime()::availableProcessors);
    }
}
