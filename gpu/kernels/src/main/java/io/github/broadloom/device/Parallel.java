package io.github.broadloom.device;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a loop over numbered pieces of work on several threads, the caller's and those of the JVM's common pool. Each
 * takes the next range when it is done with one, so that a thread that was kept away holds nobody up.
 */
public final class Parallel {
    /** More ranges than threads, so that they end at about the same time. */
    private static final int RANGES_PER_THREAD = 8;

    private Parallel() {}

    /** The work of one thread; it keeps what it needs from range to range. */
    public interface Worker {
        /** Does the pieces from {@code first} to before {@code end}. */
        void run(long first, long end);
    }

    /**
     * How many pieces a range has: a multiple of {@code grain}, or a power of two times it.
     *
     * @param grain the fewest pieces worth another thread's while, at least 1
     */
    public static long rangeLength(int threads, long count, long grain) {
        long even = count / ((long) threads * RANGES_PER_THREAD);
        return even <= grain ? grain : grain * Long.highestOneBit(even / grain);
    }

    /**
     * Does {@code count} pieces, in ranges of {@code length} that begin at its multiples. What a worker throws is thrown
     * here, when all have stopped.
     *
     * @param workers makes the worker of one thread
     */
    public static void forRanges(int threads, long count, long length, Supplier<Worker> workers) {
        int used = (int) Math.min(threads, (count + length - 1) / length);
        if (used <= 1) {
            workers.get().run(0, count);
            return;
        }
        Loop loop = new Loop(count, length, workers);
        List<ForkJoinTask<?>> others = new ArrayList<>();
        for (int i = 1; i < used; i++) {
            others.add(ForkJoinTask.adapt(loop).fork());
        }
        loop.run();
        others.forEach(ForkJoinTask::quietlyJoin);
        loop.rethrow();
    }

    /** Takes ranges until none is left, in any number of threads at once. */
    private static final class Loop implements Runnable {
        private final long count;
        private final long length;
        private final Supplier<Worker> workers;
        private final AtomicLong next = new AtomicLong();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(long count, long length, Supplier<Worker> workers) {
            this.count = count;
            this.length = length;
            this.workers = workers;
        }

        @Override
        public void run() {
            Worker worker = null;
            try {
                for (long first = next.getAndAdd(length); first < count; first = next.getAndAdd(length)) {
                    worker = worker == null ? workers.get() : worker;
                    worker.run(first, Math.min(count, first + length));
                }
            } catch (RuntimeException | Error thrown) {
                failure.compareAndSet(null, thrown);
                next.set(count); // nobody begins another range
            }
        }

        void rethrow() {
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown != null) {
                throw (RuntimeException) thrown;
            }
        }
    }
}
