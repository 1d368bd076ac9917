package io.github.broadloom.exec.metrics;

import io.github.broadloom.device.GpuCounter;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What Broadloom counts of a task because Spark does not. Each is an accumulator, which Spark's UI shows with the stage. */
public enum TaskMetric {
    /** Bytes of files that were read. */
    FILE_BYTES("fileBytes"),
    /** Bytes of cached chunks that were fetched from other executors. */
    FETCHED_BYTES("fetchedBytes"),
    /** Bytes of operands that came to an executor whole, in broadcast variables or with the code: each once. */
    REPLICATED_BYTES("replicatedBytes"),
    /** Kernels that were compiled. */
    KERNELS("kernels"),
    /** Bytes that went to GPUs. */
    UPLOADED_BYTES(GpuCounter.UPLOADED_BYTES),
    /** Bytes that came from GPUs. */
    DOWNLOADED_BYTES(GpuCounter.DOWNLOADED_BYTES),
    /** Pieces that were halved for want of device memory. */
    GPU_HALVED(GpuCounter.HALVED),
    /** Pieces that the CPU computed for want of device memory. */
    ON_CPU_FOR_MEMORY(GpuCounter.ON_CPU_FOR_MEMORY),
    /** Pieces that the CPU computed because a kernel was not to be had. */
    ON_CPU_FOR_KERNELS(GpuCounter.ON_CPU_FOR_KERNELS);

    private static final String PREFIX = "broadloom.";

    private final String label;
    private final @Nullable GpuCounter onGpus;

    TaskMetric(String label) {
        this.label = label;
        this.onGpus = null;
    }

    TaskMetric(GpuCounter onGpus) {
        this.label = "gpu." + onGpus.label();
        this.onGpus = onGpus;
    }

    /** What a thread counts on GPUs, where that is it. */
    public Optional<GpuCounter> onGpus() {
        return Optional.ofNullable(onGpus);
    }

    /** Its name among Spark's accumulators, for instance {@code broadloom.fileBytes}. */
    public String accumulator() {
        return PREFIX + label;
    }

    static Optional<TaskMetric> ofAccumulator(String name) {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        return Arrays.stream(values())
                .filter(metric -> metric.accumulator().equals(name))
                .findFirst();
    }

    /** Its name among metrics, for instance {@code fileBytes}. */
    public String label() {
        return label;
    }
}
