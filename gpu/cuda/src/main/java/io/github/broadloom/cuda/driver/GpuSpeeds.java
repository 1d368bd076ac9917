package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.Speeds;
import io.github.broadloom.tensor.Storage;
import org.jspecify.annotations.Nullable;

/** What a GPU does in a second: its memory and the way there are measured, once and for some milliseconds; the arithmetic is counted from its processors. */
public final class GpuSpeeds {
    private static final long BYTES = 64L << 20;
    private static final int ROUNDS = 4;
    /** Of one multiprocessor: 128 streams at about 1.5 GHz. */
    private static final double OPERATIONS = 128 * 1.5e9;

    private static final double START_SECONDS = 10e-6;

    private final Gpu gpu;
    private @Nullable Speeds measured;

    public GpuSpeeds(Gpu gpu) {
        this.gpu = gpu;
    }

    public synchronized Speeds measured() {
        Speeds known = measured;
        if (known == null) {
            known = measure();
            measured = known;
        }
        return known;
    }

    private Speeds measure() {
        Storage host = Storage.allocateZeroed(BYTES);
        try (GpuStream stream = gpu.stream()) {
            DeviceBlock there = stream.allocate(2 * BYTES);
            try {
                long from = there.address();
                long to = from + BYTES;
                double transfer = BYTES / seconds(stream, () -> stream.upload(host.address(), from, BYTES));
                double memory = 2.0 * BYTES / seconds(stream, () -> stream.copy(from, to, BYTES));
                double operations = gpu.properties().multiprocessors() * OPERATIONS;
                return new Speeds(memory, transfer, operations, START_SECONDS);
            } finally {
                there.release();
            }
        } finally {
            host.release();
        }
    }

    private static double seconds(GpuStream stream, Runnable work) {
        work.run();
        stream.synchronize();
        long started = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            work.run();
        }
        stream.synchronize();
        return Math.max(1, System.nanoTime() - started) / 1e9 / ROUNDS;
    }
}
