package io.github.broadloom.exec;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What this JVM's tasks, and its driver, have counted since it started: those of tasks that failed in the end among it. */
public final class Totals {
    private static final Map<Counted, LongAdder> COUNTED = new EnumMap<>(Counted.class);
    private static final LongAdder SHUFFLED = new LongAdder();

    static {
        for (Counted counted : Counted.values()) {
            COUNTED.put(counted, new LongAdder());
        }
    }

    private Totals() {}

    static void add(Map<Counted, Long> figures) {
        figures.forEach((counted, figure) -> adder(counted).add(figure));
    }

    static void addShuffled(long bytes) {
        SHUFFLED.add(bytes);
    }

    /** One figure. */
    public static long of(Counted counted) {
        return adder(counted).sum();
    }

    /** Bytes that Broadloom's tasks fetched from other executors: cached chunks, and what was shuffled. */
    public static long movedBytes() {
        return of(Counted.FETCHED_BYTES) + SHUFFLED.sum();
    }

    private static LongAdder adder(Counted counted) {
        LongAdder adder = COUNTED.get(counted);
        if (adder == null) {
            throw new IllegalStateException("Nobody counts " + counted);
        }
        return adder;
    }
}
