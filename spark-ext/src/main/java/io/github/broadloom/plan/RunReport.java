package io.github.broadloom.plan;

import java.util.Locale;

/**
 * One action that ran: what was planned and what was measured. As text it is a small table, the estimates beside the measurements.
 *
 * @param title what Spark's UI called its jobs
 * @param plan what ran
 * @param figures what was measured
 */
public record RunReport(String title, Plan plan, RunFigures figures) {

    /** The figures that were estimated beside those that were measured, and then those that were only measured. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder(title).append('\n');
        row(table, "", "estimated", "measured");
        row(table, "jobs", plan.jobs(), figures.jobs());
        row(table, "tasks", plan.tasks(), figures.tasks());
        row(table, "kernels compiled", plan.kernels(), figures.kernels());
        row(table, "peak memory of a task", Figures.bytes(plan.peakBytes()), Figures.bytes(figures.peakTaskBytes()));
        row(table, "broadcast", Figures.bytes(plan.broadcastBytes()), Figures.bytes(figures.replicatedBytes()));
        row(table, "stages", "", figures.stages());
        row(table, "tasks lost", "", figures.lostTasks());
        row(table, "files read", "", Figures.bytes(figures.fileBytes()));
        row(table, "cached chunks read", "", Figures.bytes(figures.chunkBytes()));
        row(table, "fetched from executors", "", Figures.bytes(figures.fetchedBytes()));
        row(table, "shuffled", "", Figures.bytes(figures.shuffledBytes()));
        row(table, "spilled", "", Figures.bytes(figures.spilledBytes()));
        gpu(table, figures.gpu());
        row(table, "time of the tasks", "", Figures.time(figures.taskTime()));
        row(table, "time", "", Figures.time(figures.elapsed()));
        return table.toString().stripTrailing();
    }

    /** Nothing where no GPU was used. */
    private static void gpu(StringBuilder table, GpuFigures gpu) {
        if (!gpu.equals(GpuFigures.NONE)) {
            row(table, "to GPUs", "", Figures.bytes(gpu.uploadedBytes()));
            row(table, "from GPUs", "", Figures.bytes(gpu.downloadedBytes()));
            row(table, "halved (GPU memory)", "", gpu.halved());
            row(table, "on CPU (GPU memory)", "", gpu.onCpuForMemory());
            row(table, "on CPU (no kernel)", "", gpu.onCpuForKernels());
        }
    }

    private static void row(StringBuilder table, String what, Object estimated, Object measured) {
        table.append(String.format(Locale.ROOT, "%-23s %12s %12s%n", what, estimated, measured));
    }
}
