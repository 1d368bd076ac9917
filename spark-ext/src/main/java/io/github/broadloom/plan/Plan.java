package io.github.broadloom.plan;

import java.util.List;

/**
 * What an action will run: stages in order, the last of which leaves the result.
 *
 * @param stages at least one
 */
public record Plan(List<Stage> stages, Settings settings) {
    public Plan {
        stages = List.copyOf(stages);
    }

    /** The stage that leaves the result. */
    public Stage last() {
        return stages.get(stages.size() - 1);
    }

    /** The stages whose results the last one needs, in order. */
    public List<Stage> beforeLast() {
        return stages.subList(0, stages.size() - 1);
    }

    /** Spark jobs: one for each stage off the driver, and one for each distributed operand that has to be copied whole. */
    public int jobs() {
        int jobs = 0;
        for (Stage stage : stages) {
            jobs += stage.kind() == Stage.Kind.DRIVER ? 0 : 1;
            jobs += (int) stage.operands().stream().filter(Plan::isGathered).count();
        }
        return jobs;
    }

    /** Tasks of all jobs. */
    public long tasks() {
        long tasks = 0;
        for (Stage stage : stages) {
            tasks += stage.kind() == Stage.Kind.DRIVER ? 0 : stage.grid().chunks();
            for (Operand operand : stage.operands()) {
                RowGrid grid = operand.source().grid();
                tasks += isGathered(operand) && grid != null ? grid.chunks() : 0;
            }
        }
        return tasks;
    }

    /** Bytes that travel in broadcast variables, counted once. */
    public long broadcastBytes() {
        return stages.stream().mapToLong(Stage::broadcastBytes).sum();
    }

    /** The most that a task holds at a time. */
    public long peakBytes() {
        return stages.stream()
                .filter(s -> s.kind() != Stage.Kind.DRIVER)
                .mapToLong(Stage::peakBytes)
                .max()
                .orElse(0);
    }

    /** The fused kernels that are compiled. */
    public int kernels() {
        return stages.stream().mapToInt(Stage::kernels).sum();
    }

    private static boolean isGathered(Operand operand) {
        return operand.strategy() == Strategy.REPLICATE && operand.source().residence() == Source.Residence.CLUSTER;
    }
}
