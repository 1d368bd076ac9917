package io.github.broadloom.plan;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Device;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plan as text: a tree of stages, each under the operand that it feeds. */
public final class Explanation {
    private static final String BODY = "   ";

    private final Plan plan;
    private final Detail detail;
    private final @Nullable Backend backend;
    private final StringBuilder text = new StringBuilder();
    private final Set<Integer> told = new HashSet<>();

    private Explanation(Plan plan, Detail detail, @Nullable Backend backend) {
        this.plan = plan;
        this.detail = detail;
        this.backend = backend;
    }

    /**
     * The stages with their operands, each with its strategy, its bytes and the reason, and their kernels where this
     * machine has the device; the sums last.
     */
    public static String of(Plan plan, Detail detail) {
        return of(plan, detail, Optional.empty());
    }

    /** As {@link #of(Plan, Detail)}, with what was measured when the plan ran beside what was estimated. */
    public static String of(Plan plan, Detail detail, Optional<RunFigures> measured) {
        Device device = Device.of(plan.settings().device());
        @Nullable Backend backend = Devices.isAvailable(device) ? Devices.backend(device) : null;
        Explanation explanation = new Explanation(plan, detail, backend);
        for (int i = plan.stages().size() - 1; i >= 0; i--) { // all the others stand under the last one
            explanation.stage(i, "");
        }
        explanation.text.append(sums(plan, measured));
        if (backend != null) {
            explanation.text.append('\n').append(backend.kernelStats().describe());
        }
        return explanation.text.toString();
    }

    /** A line for each stage, in the order in which they run, with the strategies of its operands; the sums last. */
    public static String summary(Plan plan) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < plan.stages().size(); i++) {
            Stage stage = plan.stages().get(i);
            lines.append(i + 1).append(". ").append(stage.text()).append(": ").append(how(stage, plan.settings()));
            for (Operand operand : stage.operands()) {
                lines.append("; ").append(operand.source().name()).append(' ').append(operand.strategy());
            }
            lines.append('\n');
        }
        return lines.append(sums(plan, Optional.empty())).toString();
    }

    private void stage(int index, String margin) {
        if (!told.add(index)) {
            return;
        }
        Stage stage = plan.stages().get(index);
        line(margin, index + 1 + ". " + stage.text());
        String body = margin + BODY;
        for (Expr output : stage.outputs()) {
            line(
                    body,
                    described(output.dtype() + " " + output.shape(), sizeBytes(output)) + ": "
                            + how(stage, plan.settings()));
        }
        Plan.Reads reads = plan.reads(index);
        if (reads.again()) {
            line(
                    body,
                    "kept on the cluster until the action is over: tasks read its "
                            + Figures.count(stage.resultGrid().chunks(), "chunk") + " " + reads.reads() + " times"
                            + (plan.isComputedFirst(index) ? ", after a job that computes them" : ""));
        }
        kernels(stage, body);
        List<Operand> operands = stage.operands();
        for (int i = 0; i < operands.size(); i++) {
            boolean last = i + 1 == operands.size();
            line(body, (last ? "└─ " : "├─ ") + operand(operands.get(i)));
            if (operands.get(i).source() instanceof StageOutput output) {
                stage(output.stage(), body + (last ? BODY : "│  "));
            }
        }
    }

    private void line(String margin, String line) {
        text.append(margin).append(line).append('\n');
    }

    private static String described(String what, long bytes) {
        return what + ", " + Figures.bytes(bytes);
    }

    private static long sizeBytes(Expr output) {
        return Sizes.bytes(output);
    }

    private static String how(Stage stage, Settings settings) {
        return switch (stage.kind()) {
            case CHUNKS ->
                stage.copies()
                        ? "the operand as it is, no kernel, in " + stage.grid()
                        : "one fused kernel for " + (stage.grid().chunks() == 1 ? "" : "each of ") + stage.grid();
            case STREAM ->
                "one fused kernel for each of " + stage.resultGrid() + ", which goes along dimension "
                        + stage.streamDim() + " in "
                        + Figures.count(stage.grid().along(stage.streamDim()).chunks(), "step");
            case FOLD ->
                "partial results of " + stage.tasks() + steps(stage) + joined(stage.foldTree(settings))
                        + ", folded on the driver in row order";
            case SELECT ->
                "found in " + (stage.passes() == 1 ? "one pass" : stage.passes() + " passes") + " over " + stage.grid()
                        + ", each of which counts by the next bits of what may be meant, on the driver";
            case SCAN -> scanned(stage.grid());
            case SORT ->
                "told by samples which of as many ranges as " + stage.grid()
                        + " a value belongs to; then sent there, and put in order, and left on the cluster";
            case FILTER ->
                "each of " + stage.grid() + " picks its own, is counted, and is kept; left on the cluster in "
                        + stage.resultGrid();
            case GATHER -> "each of " + stage.grid() + " asks for what its indices name, and is sent it";
            case WHOLE -> "by one task with all rows, because its lines run through them; brought to the driver";
            case DRIVER -> "on the driver, no job";
        };
    }

    private static String steps(Stage fold) {
        return fold.isInSteps()
                ? ", in steps of up to " + Figures.count(fold.grid().along(0).mostRows(), "row")
                : "";
    }

    private static String joined(FoldTree tree) {
        StringBuilder joined = new StringBuilder();
        for (RowGrid groups : tree.groups()) {
            joined.append(joined.isEmpty() ? ", joined by " : ", then by ")
                    .append(Figures.count(groups.chunks(), "task"));
        }
        return joined.toString();
    }

    private static String scanned(ChunkGrid grid) {
        return grid.chunks() == 1
                ? "scanned in one chunk, left on the cluster"
                : "two passes: what each of " + grid
                        + " adds, joined on the driver in row order; then each is scanned from"
                        + " there, and left on the cluster";
    }

    private void kernels(Stage stage, String margin) {
        if (stage.kind() == Stage.Kind.GATHER) {
            kernels(stage.indices(), margin);
            return;
        }
        if (backend == null || stage.copies()) {
            return;
        }
        List<Expr> inChunk = Graphs.mapInputs(stage.outputs(), input -> inChunk(input, stage));
        List<Expr> outputs = CommonParts.computed(stage.kind(), inChunk, part -> {
            line(margin, "once for several outputs:");
            kernel(part, margin);
            return Input.of(part, part.dtype(), part.shape());
        });
        outputs.forEach(output -> kernel(output, margin));
    }

    private void kernel(Expr inChunk, String margin) {
        Objects.requireNonNull(backend).explain(inChunk, detail).lines().forEach(line -> line(margin, line));
    }

    private static Input inChunk(Input input, Stage stage) {
        Operand operand = stage.operands().get((Integer) input.source());
        return Input.of(
                input.source(),
                input.dtype(),
                operand.access().shape(stage.grid().box(0)));
    }

    private static String operand(Operand operand) {
        Source source = operand.source();
        String tensor = described(source.dtype() + " " + source.shape(), source.sizeBytes());
        return source.name() + " (" + source.origin() + ")  " + tensor + "  " + operand.strategy() + ": "
                + operand.reason();
    }

    /** What the stages come to together, and what was measured beside it. */
    private static String sums(Plan plan, Optional<RunFigures> measured) {
        List<String> parts = new ArrayList<>();
        parts.add("broadcast " + Figures.bytes(plan.broadcastBytes()) + " to each executor"
                + beside(measured, run -> "sent " + Figures.bytes(run.replicatedBytes())));
        parts.add("shuffle " + Figures.bytes(plan.shuffleBytes())
                + beside(measured, run -> "wrote " + Figures.bytes(run.shuffledBytes())));
        parts.add(Figures.count(plan.jobs(), "job") + beside(measured, run -> "ran " + run.jobs()));
        parts.add(Figures.count(plan.sparkStages(), "stage") + beside(measured, run -> "ran " + run.stages()));
        parts.add(Figures.count(plan.tasks(), "task") + beside(measured, Explanation::tasks));
        parts.add("peak memory of a task about " + Figures.bytes(plan.peakBytes())
                + beside(measured, run -> "measured " + Figures.bytes(run.peakTaskBytes())));
        parts.add(Figures.count(plan.kernels(), "kernel") + beside(measured, run -> "compiled " + run.kernels()));
        if (plan.keptBytes() > 0) {
            parts.add("keeps " + Figures.bytes(plan.keptBytes()) + " of chunks meanwhile");
        }
        parts.add("device " + plan.settings().device());
        return String.join(" · ", parts) + measured.map(run -> "\n" + took(run)).orElse("");
    }

    private static String beside(Optional<RunFigures> measured, Function<RunFigures, String> figure) {
        return measured.map(run -> " (" + figure.apply(run) + ")").orElse("");
    }

    private static String tasks(RunFigures run) {
        return "ran " + run.tasks() + (run.lostTasks() == 0 ? "" : ", lost " + run.lostTasks());
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
