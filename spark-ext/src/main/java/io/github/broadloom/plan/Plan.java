package io.github.broadloom.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

    /**
     * Whether chunks that a stage leaves on the cluster are kept there until the action is over, because tasks read some of them more than once.
     *
     * @param stage its index
     */
    public boolean keeps(int stage) {
        return reads(stage).again();
    }

    /** How often they are read. */
    Reads reads(int stage) {
        return Reads.of(stages, stage);
    }

    /** The bytes of all chunks that are kept so. */
    public long keptBytes() {
        long bytes = 0;
        for (int i = 0; i < stages.size(); i++) {
            bytes = Sizes.sum(bytes, keeps(i) ? stages.get(i).outputBytes() : 0);
        }
        return bytes;
    }

    /**
     * Spark jobs: one for each stage off the driver whose results come to the driver, one for a last stage that leaves chunks, one for the first of two passes,
     * and one for each distributed operand that has to be copied whole.
     */
    public int jobs() {
        int jobs = runs().size();
        for (Stage stage : stages) {
            jobs += stage.passes() - 1;
            jobs += (int) stage.operands().stream().filter(Plan::isGathered).count();
        }
        return jobs;
    }

    /** The stages that an action waits for; the others are computed with those that read their chunks. */
    private List<Stage> runs() {
        List<Stage> runs = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            Stage.Kind kind = stages.get(i).kind();
            if (kind.bringsToDriver() || kind.leavesChunks() && i == stages.size() - 1) {
                runs.add(stages.get(i));
            }
        }
        return runs;
    }

    /** How the partial results of each fold come together. */
    private Stream<FoldTree> foldTrees() {
        return stages.stream().filter(stage -> stage.kind() == Stage.Kind.FOLD).map(stage -> stage.foldTree(settings));
    }

    /** Spark's stages: one for each job, and one for each shuffle. */
    public int sparkStages() {
        int joining = foldTrees().mapToInt(tree -> tree.groups().size()).sum();
        return jobs() + joining + stages.stream().mapToInt(Stage::shuffles).sum();
    }

    /** Tasks of all jobs. */
    public long tasks() {
        long tasks = runs().stream().mapToLong(stage -> stage.tasks().chunks()).sum()
                + foldTrees().mapToLong(FoldTree::tasks).sum();
        for (Stage stage : stages) {
            tasks += stage.passes() == 2 ? stage.grid().chunks() - 1 : 0; // nothing comes after the last chunk
            for (Operand operand : stage.operands()) {
                boolean apart = isGathered(operand) || operand.transport() == Transport.SHUFFLE;
                tasks += apart ? operand.source().cuts(settings).chunks() : 0;
            }
        }
        return tasks;
    }

    /** Bytes that go through Spark's shuffle. */
    public long shuffleBytes() {
        return Stream.concat(
                        stages.stream().map(Stage::shuffleBytes), foldTrees().map(FoldTree::shuffleBytes))
                .reduce(0L, Sizes::sum);
    }

    /** Bytes that travel in broadcast variables, counted once. */
    public long broadcastBytes() {
        return stages.stream().mapToLong(Stage::broadcastBytes).sum();
    }

    /** The most that a task holds at a time. */
    public long peakBytes() {
        return stages.stream()
                .filter(s -> s.kind() != Stage.Kind.DRIVER)
                .mapToLong(stage -> stage.peakBytes(settings))
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
