package io.github.broadloom.examples.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
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
        Tensor from = Tensors.zeros(Shape.of(bytes), DType.UINT8);
        Tensor into = Tensors.zeros(Shape.of(bytes), DType.UINT8);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            return rounds.time(() -> copy(from, into, executor));
        } finally {
            executor.shutdownNow();
            from.storage().release();
            into.storage().release();
        }
    }

    private void copy(Tensor from, Tensor into, ExecutorService executor) {
        long bytes = from.numel();
        List<Future<?>> parts = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            long begin = bytes * thread / threads;
            long length = bytes * (thread + 1) / threads - begin;
            parts.add(executor.submit(() -> into.narrow(0, begin, length).copy_(from.narrow(0, begin, length))));
        }
        for (Future<?> part : parts) {
            Futures.await(part);
        }
    }
}
