package io.github.broadloom.bench.checks;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.testkit.accuracy.Accuracy;
import io.github.broadloom.testkit.accuracy.Accuracy.Range;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Progress;
import java.io.IOException;
import java.util.List;

/** Holds the errors of operations of one argument against what is documented. */
record AccuracyCheck(Accuracy accuracy) implements GpuCheck {
    @Override
    public String heading() {
        return "Errors of " + (accuracy.range() == Range.ALL ? "every float32" : "a million float32") + " on "
                + accuracy.device();
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        List<Op> ops =
                accuracy.measurable().stream().filter(op -> op.arity() == 1).toList();
        StringBuilder table = new StringBuilder("| operation | worst, ulp | permitted | at |\n|---|---:|---:|---|\n");
        int beyond = 0;
        int measured = 0;
        try (Progress progress = Progress.of("accuracy", ops.size() * accuracy.steps())) {
            for (Op op : ops) {
                progress.says(op.name());
                Accuracy.Row row = accuracy.measure(op, progress::step);
                beyond += row.isWithin() ? 0 : 1;
                table.append(GpuReport.row(
                        row.op(), row.ulps(), row.permitted(), row.worst().arguments()));
                console.say("%s", row);
                soFar.found(section(++measured, ops.size(), beyond, table));
            }
        }
        return section(measured, ops.size(), beyond, table);
    }

    private GpuReport.Section section(int measured, int all, int beyond, StringBuilder table) {
        String summary = measured + " of " + all + " operations: " + (measured - beyond) + " within what is permitted, "
                + beyond + " beyond";
        return new GpuReport.Section(heading(), beyond == 0, summary, table.toString());
    }
}
