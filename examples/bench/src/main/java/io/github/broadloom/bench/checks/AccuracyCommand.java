package io.github.broadloom.bench.checks;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.testkit.accuracy.Accuracy;
import io.github.broadloom.testkit.accuracy.Accuracy.Range;
import io.github.broadloom.testkit.accuracy.Accuracy.Row;
import io.github.broadloom.tools.console.DebugOption;
import io.github.broadloom.tools.console.Progress;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.DeviceOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures how far operations are from the exact values. */
@Command(
        name = "accuracy",
        header = "Measures the error of operations against more precise references.",
        description = {
            "",
            "float32 and float16 are held against float64, correctly rounded; float64 against arithmetic of 70 digits. The"
                    + " table has the worst error in units of the last place, where it is, and what docs/ops.md permits.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} accuracy                       a million float32 arguments of every operation",
            "  ${ROOT-COMMAND-NAME} accuracy tanh --all            every float32: some minutes each",
            "  ${ROOT-COMMAND-NAME} accuracy lgamma erfc --dtype float64",
            "",
            "Exit codes: 0 all within what is permitted, 1 one is not, 2 an operation is unknown."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class AccuracyCommand implements Callable<Integer> {
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

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Accuracy accuracy = new Accuracy(DType.of(dtype), all ? Range.ALL : Range.SAMPLE, device.available());
        List<Op> ops = names.isEmpty()
                ? accuracy.measurable()
                : names.stream().map(accuracy::checked).toList();
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-14s %12s %12s  %s%n", "op", "worst ulp", "permitted", "at");
        List<Row> below = new ArrayList<>(); // the bar would overwrite them
        int code;
        try (Progress progress = Progress.of("accuracy", ops.size() * accuracy.steps())) {
            code = measure(accuracy, ops, progress::step, progress.isShown() ? below::add : out::println);
        }
        below.forEach(out::println);
        return code;
    }

    private static int measure(Accuracy accuracy, List<Op> ops, Runnable step, Consumer<Row> shown) {
        boolean within = true;
        for (Op op : ops) {
            Row row = accuracy.measure(op, step);
            within &= row.isWithin();
            shown.accept(row);
        }
        return within ? 0 : 1;
    }
}
