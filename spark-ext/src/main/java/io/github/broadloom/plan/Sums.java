package io.github.broadloom.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last lines of an explanation: what the stages come to together, and what was measured beside it. */
record Sums(Plan plan, @Nullable RunFigures measured) {
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (measured == null) {
            parts.add("broadcast " + broadcast());
            parts.add("shuffle " + Figures.bytes(plan.shuffleBytes()));
            parts.add(Figures.count(plan.jobs(), "job"));
            parts.add(Figures.count(plan.sparkStages(), "stage"));
            parts.add(Figures.count(plan.tasks(), "task"));
            parts.add("peak memory of a task about " + Figures.bytes(plan.peakBytes()));
            parts.add(Figures.count(plan.kernels(), "kernel"));
        } else {
            parts.add("broadcast " + broadcast() + " (sent " + Figures.bytes(measured.replicatedBytes()) + ")");
            parts.add("shuffle " + Figures.bytes(plan.shuffleBytes()) + " (wrote "
                    + Figures.bytes(measured.shuffledBytes()) + ")");
            parts.add(Figures.count(plan.jobs(), "job") + " (ran " + measured.jobs() + ")");
            parts.add(Figures.count(plan.sparkStages(), "stage") + " (ran " + measured.stages() + ")");
            parts.add(Figures.count(plan.tasks(), "task") + " (ran " + measured.tasks() + lost(measured) + ")");
            parts.add("peak memory of a task about " + Figures.bytes(plan.peakBytes()) + " (measured "
                    + Figures.bytes(measured.peakTaskBytes()) + ")");
            parts.add(Figures.count(plan.kernels(), "kernel") + " (compiled " + measured.kernels() + ")");
        }
        if (plan.keptBytes() > 0) {
            parts.add("keeps " + Figures.bytes(plan.keptBytes()) + " of chunks meanwhile");
        }
        parts.add("device " + plan.settings().device());
        String sums = String.join(" · ", parts);
        return measured == null ? sums : sums + "\n" + took(measured);
    }

    private String broadcast() {
        return Figures.bytes(plan.broadcastBytes()) + " to each executor";
    }

    private static String lost(RunFigures run) {
        return run.lostTasks() == 0 ? "" : ", lost " + run.lostTasks();
    }

    private static String took(RunFigures run) {
        List<String> parts = new ArrayList<>();
        parts.add("took " + Figures.time(run.elapsed()) + ", its tasks " + Figures.time(run.taskTime()) + " together");
        parts.add("read " + Figures.bytes(run.fileBytes()) + " of files and " + Figures.bytes(run.chunkBytes())
                + " of cached chunks, " + Figures.bytes(run.fetchedBytes()) + " of them from other executors");
        if (run.spilledBytes() > 0) {
            parts.add("spilled " + Figures.bytes(run.spilledBytes()));
        }
        return String.join(" · ", parts);
    }
}
