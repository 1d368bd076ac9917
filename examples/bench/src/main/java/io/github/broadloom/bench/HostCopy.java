package io.github.broadloom.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Half of a workload's bytes copied from one warm buffer to another, by as many threads as compute, each
 * in one call of the JVM's own copy. That is as fast as C's memcpy and NumPy's copyto on two threads.
 *
 * @param threads that copy
 */
record HostCopy(int threads) implements CopyLimit {
    @Override
    public Seconds of(Workload workload, Rounds rounds) {
        long bytes = Math.max(threads, workload.bytes() / 2);
        CopyBuffers buffers = CopyBuffers.of(bytes);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            return rounds.time(() -> copy(buffers, executor));
        } finally {
            executor.shutdownNow();
            buffers.release();
        }
    }

    private void copy(CopyBuffers buffers, ExecutorService executor) {
        List<Future<?>> parts = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int part = thread;
            parts.add(executor.submit(() -> buffers.copy(part, threads)));
        }
        for (Future<?> part : parts) {
            Futures.await(part);
        }
    }
}
