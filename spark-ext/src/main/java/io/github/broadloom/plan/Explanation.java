package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import java.util.List;

/** A plan as text. */
public final class Explanation {
    private Explanation() {}

    /** The stages with their operands, each with its strategy, its bytes and the reason; the sums last. */
    public static String of(Plan plan) {
        StringBuilder text = new StringBuilder();
        List<Stage> stages = plan.stages();
        for (int i = 0; i < stages.size(); i++) {
            stage(text, i + 1, stages.get(i));
        }
        return text.append("broadcast ")
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
                .append(plan.settings().device())
                .toString();
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
