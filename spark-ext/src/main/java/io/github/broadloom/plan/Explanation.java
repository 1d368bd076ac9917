package io.github.broadloom.plan;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.Device;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Optional;

/** A plan as text. */
public final class Explanation {
    private Explanation() {}

    /**
     * The stages with their operands, each with its strategy, its bytes and the reason, and their kernels where this
     * machine has the device; the sums last.
     */
    public static String of(Plan plan, Detail detail) {
        StringBuilder text = new StringBuilder();
        Device device = Device.of(plan.settings().device());
        Optional<Backend> backend =
                Devices.isAvailable(device) ? Optional.of(Devices.backend(device)) : Optional.empty();
        List<Stage> stages = plan.stages();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            stage(text, i + 1, stage);
            backend.ifPresent(here -> kernels(text, stage, here, detail));
        }
        sums(text, plan);
        backend.ifPresent(here -> text.append('\n').append(here.kernelStats().describe()));
        return text.toString();
    }

    private static void sums(StringBuilder text, Plan plan) {
        text.append("broadcast ")
                .append(Figures.bytes(plan.broadcastBytes()))
                .append(" to each executor · shuffle 0 B · ")
                .append(Figures.count(plan.jobs(), "job"))
                .append(" · ")
                .append(Figures.count(plan.jobs(), "stage"))
                .append(" · ")
                .append(Figures.count(plan.tasks(), "task"))
                .append(" · peak memory of a task about ")
                .append(Figures.bytes(plan.peakBytes()))
                .append(" · ")
                .append(Figures.count(plan.kernels(), "kernel"))
                .append(" · device ")
                .append(plan.settings().device());
    }

    /** What a task with the most rows runs. */
    private static void kernels(StringBuilder text, Stage stage, Backend backend, Detail detail) {
        if (stage.copies()) {
            return;
        }
        for (Expr output : stage.outputs()) {
            text.append(backend.explain(output.mapInputs(input -> inChunk(input, stage)), detail)
                    .indent(3));
        }
    }

    private static Input inChunk(Input input, Stage stage) {
        Operand operand = stage.operands().get((Integer) input.source());
        boolean rows = operand.strategy() == Strategy.ALIGN && input.shape().rank() > 0;
        Shape shape = rows ? input.shape().with(0, stage.grid().mostRows()) : input.shape();
        return Input.of(input.source(), input.dtype(), shape);
    }

    private static void stage(StringBuilder text, int number, Stage stage) {
        text.append(number).append(". ").append(stage.text()).append('\n');
        for (Expr output : stage.outputs()) {
            text.append("   ")
                    .append(output.dtype())
                    .append(' ')
                    .append(output.shape())
                    .append(", ")
                    .append(Figures.bytes(Sizes.bytes(output.dtype(), output.shape())))
                    .append(": ")
                    .append(how(stage))
                    .append('\n');
        }
        List<Operand> operands = stage.operands();
        for (int i = 0; i < operands.size(); i++) {
            text.append(i + 1 < operands.size() ? "   ├─ " : "   └─ ");
            operand(text, operands.get(i));
        }
    }

    private static String how(Stage stage) {
        return switch (stage.kind()) {
            case CHUNKS ->
                stage.copies()
                        ? "the operand as it is, no kernel, in " + stage.grid()
                        : "one fused kernel for each of " + stage.grid();
            case FOLD -> "partial results of " + stage.grid() + ", folded on the driver in row order";
            case WHOLE -> "by one task with all rows, because its lines run through them; brought to the driver";
            case DRIVER -> "on the driver, no job";
        };
    }

    private static void operand(StringBuilder text, Operand operand) {
        Source source = operand.source();
        text.append(source.name())
                .append(" (")
                .append(source.origin())
                .append(")  ")
                .append(source.dtype())
                .append(' ')
                .append(source.shape())
                .append(", ")
                .append(Figures.bytes(source.sizeBytes()))
                .append("  ")
                .append(operand.strategy())
                .append(": ")
                .append(operand.reason())
                .append('\n');
    }
}
