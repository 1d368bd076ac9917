package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an action will run: stages in order, the last of which leaves the result of a plan that has one.
 *
 * @param stages at least one
 * @param results what is left, of each expression that was planned, in their order
 */
public record Plan(List<Stage> stages, Settings settings, List<Result> results) {
    public Plan {
        stages = List.copyOf(stages);
        results = List.copyOf(results);
    }

    /** A plan whose last stage leaves its one result. */
    static Plan ofLast(List<Stage> stages, Settings settings) {
        int last = stages.size() - 1;
        return new Plan(stages, settings, List.of(new Result(last, 0, stages.get(last), settings.chunkBytes())));
    }

    /**
     * What a stage leaves of one of its outputs.
     *
     * @param at the number of the stage, from 0
     * @param chunkBytes about how large a chunk should be
     */
    public record Result(int at, int output, Stage stage, long chunkBytes) {
        public DType dtype() {
            return stage.outputs().get(output).dtype();
        }

        public Shape shape() {
            return stage.outputs().get(output).shape();
        }

        /** Where it is cut: nowhere, where it comes to the driver. */
        public ChunkGrid grid() {
            return stage.kind().leavesChunks() ? stage.resultGrid(output) : ChunkGrid.whole(shape());
        }
    }

    /** The only result. */
    public Result result() {
        if (results.size() != 1) {
            throw new IllegalStateException("Not one result: " + results.size());
        }
        return results.get(0);
    }

    /** Whether a stage leaves something that was asked for. */
    public boolean isResult(int stage) {
        return results.stream().anyMatch(result -> result.at == stage);
    }

    public Stage last() {
        return stages.get(stages.size() - 1);
    }

    /** The stages whose results the last one needs, in order. */
    public List<Stage> beforeLast() {
        return stages.subList(0, stages.size() - 1);
    }

    /** Whether chunks that a stage leaves on the cluster are kept there until the action is over, because tasks read some of them more than once. */
    public boolean keeps(int stage) {
        return reads(stage).again();
    }

    /**
     * Whether kept chunks are computed by a job of their own, before tasks of later stages read them: several tasks of one stage that come to the same chunk would wait for one of them, or compute it once in each
     * executor, and a few tasks would compute what takes many.
     */
    public boolean isComputedFirst(int stage) {
        Reads reads = reads(stage);
        return reads.again() && reads.meet() && !isResult(stage);
    }

    Reads reads(int stage) {
        return Reads.of(this, stage);
    }

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
            jobs += stage.jobsBefore();
            jobs += (int) stage.operands().stream().filter(Plan::isGathered).count();
        }
        return jobs;
    }

    /** The stages that have a job; the others are computed with those that read their chunks. */
    private List<Stage> runs() {
        List<Stage> runs = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            Stage.Kind kind = stages.get(i).kind();
            if (kind.bringsToDriver() || kind.leavesChunks() && (isResult(i) || isComputedFirst(i))) {
                runs.add(stages.get(i));
            }
        }
        return runs;
    }

    private Stream<FoldTree> foldTrees() {
        return stages.stream().filter(stage -> stage.kind() == Stage.Kind.FOLD).map(stage -> stage.foldTree(settings));
    }

    /** Spark's stages: one for each job, and one for each shuffle. */
    public int sparkStages() {
        int joining = foldTrees().mapToInt(tree -> tree.groups().size()).sum();
        return jobs() + joining + stages.stream().mapToInt(Stage::shuffles).sum();
    }

    public long tasks() {
        long tasks = runs().stream().mapToLong(Stage::tasksOfResult).sum()
                + foldTrees().mapToLong(FoldTree::tasks).sum();
        for (Stage stage : stages) {
            tasks += stage.tasksBefore();
            for (Operand operand : stage.operands()) {
                boolean apart = isGathered(operand) || operand.transport() == Transport.SHUFFLE;
                tasks += apart ? operand.source().cuts(settings).chunks() : 0;
            }
        }
        return tasks;
    }

    public long shuffleBytes() {
        return Stream.concat(
                        stages.stream().map(Stage::shuffleBytes), foldTrees().map(FoldTree::shuffleBytes))
                .reduce(0L, Sizes::sum);
    }

    /** Bytes of broadcast variables, counted once. */
    public long broadcastBytes() {
        return stages.stream().mapToLong(Stage::broadcastBytes).sum();
    }

    public long peakBytes() {
        return stages.stream()
                .filter(s -> s.kind() != Stage.Kind.DRIVER)
                .mapToLong(stage -> stage.peakBytes(settings))
                .max()
                .orElse(0);
    }

    public int kernels() {
        return stages.stream().mapToInt(Stage::kernels).sum();
    }

    private static boolean isGathered(Operand operand) {
        return operand.strategy() == Strategy.REPLICATE && operand.source().residence() == Source.Residence.CLUSTER;
    }

    /**
     * How often the tasks of later stages read the chunks that a stage leaves: what is read more than once is better kept than computed again. Chunks that are merely brought together are
     * as easily brought together again, unless a shuffle did it.
     *
     * @param reads of all chunks together
     * @param again whether some chunk is read more than once, and is dear
     * @param meet whether several tasks of one stage read the same chunk
     */
    record Reads(long reads, boolean again, boolean meet) {
        /** Above as many tasks the one in the middle stands for all of them. */
        private static final int MOST_ASKED = 1 << 16;

        static Reads of(Plan plan, int index) {
            List<Stage> stages = plan.stages();
            Stage left = stages.get(index);
            long[] each =
                    new long[left.kind().leavesChunks() ? left.resultGrid().chunks() : 0];
            boolean isResult = plan.isResult(index);
            Arrays.fill(each, isResult ? 1 : 0);
            long reads = isResult ? each.length : 0;
            boolean again = false;
            boolean meet = false;
            boolean several = left.outputs().size() > 1; // once for each output
            for (Stage stage : stages.subList(index + 1, stages.size())) {
                for (Operand operand : stage.operands()) {
                    if (operand.source() instanceof StageOutput.Chunks chunks && chunks.stage() == index) {
                        long[] own = new long[each.length];
                        long added = add(own, operand, chunks.grid(), stage.tasks());
                        reads += stage.passes() * added;
                        Arrays.setAll(each, chunk -> each[chunk] + own[chunk]);
                        meet |= added > each.length || Arrays.stream(own).anyMatch(count -> count > 1);
                        again |= several || stage.passes() > 1 || operand.strategy() == Strategy.GRID;
                    }
                }
            }
            for (int chunk = 0; chunk < each.length && !again; chunk++) {
                again = each[chunk] > 1;
            }
            return new Reads(reads, again && (!left.copies() || left.shuffles() > 0), meet);
        }

        private static long add(long[] each, Operand operand, ChunkGrid chunks, ChunkGrid tasks) {
            if (operand.transport() != Transport.PARENT) { // once, to be sent
                for (int chunk = 0; chunk < each.length; chunk++) {
                    each[chunk]++;
                }
                return each.length;
            }
            if (tasks.chunks() > MOST_ASKED) {
                Box middle = tasks.box(tasks.chunks() / 2);
                return (long) tasks.chunks()
                        * chunks.overlapping(operand.access().box(middle)).size();
            }
            long reads = 0;
            for (int task = 0; task < tasks.chunks(); task++) {
                List<Integer> read = chunks.overlapping(operand.access().box(tasks.box(task)));
                read.forEach(chunk -> each[chunk]++);
                reads += read.size();
            }
            return reads;
        }
    }
}
