package io.github.broadloom.bench;

import io.github.broadloom.cuda.driver.PinnedCopies;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** What memory allows: how long the bytes of a workload take to copy, where it is computed; on the CPU by so many threads. */
record CopyLimit(Device device, int threads) {
    Seconds of(Workload workload, Rounds rounds) {
        if (device.isCpu()) {
            return here(workload, rounds);
        }
        return workload.place() == Workload.Place.HERE ? overTheBus(workload, rounds) : there(workload, rounds);
    }

    /**
     * Half of the bytes copied from one warm buffer to another, by as many threads as compute, each in one call of the JVM's own copy. That is as fast as C's memcpy
     * and NumPy's copyto on two threads.
     */
    private Seconds here(Workload workload, Rounds rounds) {
        Buffers buffers = Buffers.of(Math.max(threads, workload.bytes() / 2), Device.CPU);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            return rounds.time(() -> CompletableFuture.allOf(IntStream.range(0, threads)
                            .mapToObj(part -> CompletableFuture.runAsync(() -> buffers.copy(part, threads), executor))
                            .toArray(CompletableFuture<?>[]::new))
                    .join());
        } finally {
            executor.shutdownNow();
            buffers.release();
        }
    }

    /** The operands' bytes go to the device and those of the result come back, both at once and through pinned memory. */
    private Seconds overTheBus(Workload workload, Rounds rounds) {
        try (PinnedCopies copies = new PinnedCopies(
                device, workload.operandBytes(), workload.result().bytes())) {
            return rounds.time(copies::run);
        }
    }

    /** Half of the bytes copied on the device, by one call of the driver's. */
    private Seconds there(Workload workload, Rounds rounds) {
        Buffers buffers = Buffers.of(Math.max(1, workload.bytes() / 2), device);
        try {
            return rounds.time(() -> buffers.copy(0, 1));
        } finally {
            buffers.release();
        }
    }

    /** Two buffers, one of which is copied into the other part by part. */
    record Buffers(Tensor from, Tensor into) {
        static Buffers of(long bytes, Device device) {
            return new Buffers(buffer(bytes, device), buffer(bytes, device));
        }

        /** Warm, where it is in this JVM. */
        private static Tensor buffer(long bytes, Device device) {
            Shape shape = Shape.of(bytes);
            return device.isCpu() ? Tensors.zeros(shape, DType.UINT8) : Tensors.empty(DType.UINT8, shape, device);
        }

        void copy(int part, int parts) {
            long begin = from.numel() * part / parts;
            long length = from.numel() * (part + 1) / parts - begin;
            into.narrow(0, begin, length).copy_(from.narrow(0, begin, length));
        }

        void release() {
            from.release();
            into.release();
        }
    }
}
