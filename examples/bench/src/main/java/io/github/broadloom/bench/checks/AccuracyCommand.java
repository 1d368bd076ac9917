package io.github.broadloom.bench.checks;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.testkit.accuracy.Accuracy;
import io.github.broadloom.testkit.accuracy.Accuracy.Range;
import io.github.broadloom.testkit.accuracy.Accuracy.Row;
import io.github.broadloom.tools.console.Progress;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.session.DeviceOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "accuracy",
        header = "Measures the error of operations against more precise references.",
        description =
                "float32 and float16 are held against float64, correctly rounded; float64 against arithmetic of 70 digits. The"
                        + " table has the worst error in units of the last place, where it is, and what docs/ops.md permits.",
        footer = {
            "  ${ROOT-COMMAND-NAME} accuracy                       a million float32 arguments of every operation",
            "  ${ROOT-COMMAND-NAME} accuracy tanh --all            every float32: some minutes each",
            "  ${ROOT-COMMAND-NAME} accuracy lgamma erfc --dtype float64",
            "",
            "Exit codes: 0 all within what is permitted, 1 one is not, 2 an operation is unknown."
        })
final class AccuracyCommand extends Tool {
    @Parameters(paramLabel = "OP", arity = "0..*", description = "Operations (default: all that have a reference).")
    private List<String> names = List.of();

    @Option(names = "--all", description = "All 2^32 arguments of float32, for operations of one argument.")
    private boolean all;

    @Option(
            names = "--dtype",
            defaultValue = "float32",
            paramLabel = "DTYPE",
            description = "float32, float64 or float16 (default: ${DEFAULT-VALUE}).")
    private String dtype = "float32";

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private DeviceOption device;

    @Override
    public Integer call() {
        Accuracy accuracy = new Accuracy(DType.of(dtype), all ? Range.ALL : Range.SAMPLE, device.available());
        List<Op> ops = names.isEmpty()
                ? accuracy.measurable()
                : names.stream().map(accuracy::checked).toList();
        PrintWriter out = console().out();
        out.printf("%-14s %12s %12s  %s%n", "op", "worst ulp", "permitted", "at");
        List<Row> below = new ArrayList<>(); // the bar would overwrite them
        boolean within = true;
        try (Progress progress = Progress.of("accuracy", ops.size() * accuracy.steps())) {
            Consumer<Row> shown = progress.isShown() ? below::add : out::println;
            for (Op op : ops) {
                Row row = accuracy.measure(op, progress::step);
                within &= row.isWithin();
                shown.accept(row);
            }
        }
        below.forEach(out::println);
        return within ? 0 : 1;
    }
}
