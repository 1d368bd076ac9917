package io.github.broadloom.plan;

import java.time.Duration;

/**
 * What was measured of one run of a plan: by Spark where Spark counts, and by the tasks themselves where it does not. Tasks that failed or were killed have counted only
 * as {@link #lostTasks}.
 *
 * @param jobs Spark jobs that ended
 * @param stages stages that ran: a stage whose shuffle files were there already does not
 * @param tasks tasks that succeeded
 * @param lostTasks tasks that failed or were killed: retried, or slower than their speculative copies
 * @param fileBytes bytes of files that were read, by tasks and by the driver
 * @param chunkBytes bytes of cached chunks that were read, at the size that Spark stores them in
 * @param fetchedBytes those of them that came from other executors
 * @param replicatedBytes bytes of operands that were sent whole, once for each executor that used them
 * @param shuffledBytes bytes that were written to Spark's shuffle
 * @param spilledBytes bytes that were spilled to disk on the way
 * @param peakTaskBytes the most memory that a task held at a time: off the heap, shared operands and cached chunks among it, and in large arrays; with a shuffle Spark's own buffers, too
 * @param kernels kernels that were compiled, by tasks and by the driver
 * @param gpu what was done on GPUs
 * @param taskTime how long the tasks ran, together
 * @param elapsed from the beginning of the action to its end
 */
public record RunFigures(
        int jobs,
        int stages,
        int tasks,
        int lostTasks,
        long fileBytes,
        long chunkBytes,
        long fetchedBytes,
        long replicatedBytes,
        long shuffledBytes,
        long spilledBytes,
        long peakTaskBytes,
        long kernels,
        GpuFigures gpu,
        Duration taskTime,
        Duration elapsed) {}
