package io.github.broadloom.cpu;

import io.github.broadloom.device.Parallel;
import io.github.broadloom.device.Speeds;
import io.github.broadloom.device.Threads;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import org.jspecify.annotations.Nullable;

/** What this machine's processors do in a second: the memory is measured, once and for some milliseconds; the arithmetic is a rule of thumb. */
final class CpuSpeeds {
    /** More than caches hold for each thread. */
    private static final long BYTES = 64L << 20;

    private static final int ROUNDS = 3;
    /** Of one thread, for the kernels here: four to eight lanes, and what it takes to feed them. */
    private static final double OPERATIONS = 3e9;

    private static final double START_SECONDS = 20e-6;

    private static @Nullable Speeds measured;

    private CpuSpeeds() {}

    /** Not when the class is initialised, which other threads than this one would wait for that measure with it. */
    static synchronized Speeds measured() {
        Speeds known = measured;
        if (known == null) {
            known = measure();
            measured = known;
        }
        return known;
    }

    private static Speeds measure() {
        int threads = Threads.local();
        return new Speeds(copiedBytesPerSecond(threads), Double.POSITIVE_INFINITY, OPERATIONS * threads, START_SECONDS);
    }

    private static double copiedBytesPerSecond(int threads) {
        Storage from = Storage.allocateZeroed(BYTES);
        Storage to = Storage.allocateZeroed(BYTES);
        long grain = BYTES / threads;
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long started = System.nanoTime();
            Parallel.forRanges(
                    threads,
                    threads,
                    1,
                    () -> (first, end) -> RawMemory.copy(
                            from.address() + first * grain, to.address() + first * grain, (end - first) * grain));
            double seconds = (System.nanoTime() - started) / 1e9;
            best = Math.max(best, 2.0 * grain * threads / seconds);
        }
        from.release();
        to.release();
        return best;
    }
}
