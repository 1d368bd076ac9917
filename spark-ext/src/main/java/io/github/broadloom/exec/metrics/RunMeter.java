package io.github.broadloom.exec.metrics;

import io.github.broadloom.plan.GpuFigures;
import io.github.broadloom.plan.RunFigures;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Measures one action: the jobs that carry its tag, as Spark's listener bus tells of them, and what the driver does itself. The bus runs behind; who asks for the
 * figures waits for the end of the last job.
 */
public final class RunMeter {
    /** The bus drops events when it is overrun: the figures are then what there is. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final String tag = "broadloom-" + UUID.randomUUID();
    private final EnumMap<TaskMetric, Long> sums = new EnumMap<>(TaskMetric.class);
    private int jobsRun;
    private int jobsEnded;
    private int stages;
    private int tasks;
    private int lostTasks;
    private long inputBytes;
    private long taskFileBytes;
    private long shuffledBytes;
    private long spilledBytes;
    private long peakTaskBytes;
    private long taskMillis;
    private long elapsedNanos;

    public String tag() {
        return tag;
    }

    public synchronized void ran() {
        jobsRun++;
    }

    /** The driver is done, and this is what it counted itself. */
    public synchronized void over(Map<TaskMetric, Long> driver, long nanos) {
        add(driver);
        elapsedNanos += nanos;
    }

    synchronized void jobEnded() {
        jobsEnded++;
        notifyAll();
    }

    synchronized void stageRan() {
        stages++;
    }

    synchronized void taskEnded(SparkListenerTaskEnd end) {
        if (!end.taskInfo().successful() || end.taskMetrics() == null) {
            lostTasks++;
            return;
        }
        tasks++;
        TaskMetrics metrics = end.taskMetrics();
        inputBytes += metrics.inputMetrics().bytesRead();
        shuffledBytes += metrics.shuffleWriteMetrics().bytesWritten();
        spilledBytes += metrics.diskBytesSpilled();
        peakTaskBytes = Math.max(peakTaskBytes, metrics.peakExecutionMemory());
        taskMillis += metrics.executorRunTime();
        Map<TaskMetric, Long> figures = figures(end);
        taskFileBytes += figures.getOrDefault(TaskMetric.FILE_BYTES, 0L);
        add(figures);
    }

    private static Map<TaskMetric, Long> figures(SparkListenerTaskEnd end) {
        Map<TaskMetric, Long> figures = new EnumMap<>(TaskMetric.class);
        for (AccumulableInfo info : CollectionConverters.asJava(end.taskInfo().accumulables())) {
            if (info.name().isDefined()
                    && info.update().isDefined()
                    && info.update().get() instanceof Long update) {
                TaskMetric.ofAccumulator(info.name().get()).ifPresent(metric -> figures.put(metric, update));
            }
        }
        return figures;
    }

    private void add(Map<TaskMetric, Long> figures) {
        figures.forEach((what, figure) -> sums.merge(what, figure, Long::sum));
    }

    /** The figures, once Spark has told of every job. */
    public synchronized RunFigures figures() {
        awaitJobs();
        return new RunFigures(
                jobsEnded,
                stages,
                tasks,
                lostTasks,
                sum(TaskMetric.FILE_BYTES),
                Math.max(0, inputBytes - taskFileBytes),
                sum(TaskMetric.FETCHED_BYTES),
                sum(TaskMetric.REPLICATED_BYTES),
                shuffledBytes,
                spilledBytes,
                peakTaskBytes,
                sum(TaskMetric.KERNELS),
                gpu(),
                Duration.ofMillis(taskMillis),
                Duration.ofNanos(elapsedNanos));
    }

    private GpuFigures gpu() {
        return new GpuFigures(
                sum(TaskMetric.UPLOADED_BYTES),
                sum(TaskMetric.DOWNLOADED_BYTES),
                sum(TaskMetric.GPU_HALVED),
                sum(TaskMetric.ON_CPU_FOR_MEMORY),
                sum(TaskMetric.ON_CPU_FOR_KERNELS));
    }

    private long sum(TaskMetric what) {
        return sums.getOrDefault(what, 0L);
    }

    private void awaitJobs() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        try {
            for (long left = PATIENCE_MILLIS; jobsEnded < jobsRun && left > 0; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
