package io.github.broadloom.bench.checks;

import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "gpu-day",
        header = "Tries and measures everything on a GPU, in steps of at most nine minutes.",
        description = {
            "Every step is processes, each of which is ended when its time is over, and writes a report for"
                    + " docs/benchmarks while it goes: whatever ends it leaves what was found. What a machine lacks,"
                    + " such as PyTorch or ncu, is left out and named.",
            "",
            ""
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} gpu-day 0                     first: two minutes, and it is known what works",
            "  ${ROOT-COMMAND-NAME} gpu-day 1 2 --out reports",
            "  ${ROOT-COMMAND-NAME} gpu-day all --python ~/venv/bin/python",
            "  ${ROOT-COMMAND-NAME} gpu-day 0 --rehearsal         everything small",
            "",
            "Exit codes: 0 all that could run went well, 1 something failed or was not finished, 2 a mistake in what was"
                    + " asked for."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class GpuDayCommand extends Tool {
    private static final String ALL = "all";

    @Parameters(paramLabel = "STEP", arity = "1..*", description = "0 to 7, names of steps, or all.")
    private List<String> asked = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "${env:OUT:-out/gpu-day}",
            description = "Where the reports go (default: $OUT, else out/gpu-day).")
    private Path out;

    @Option(
            names = "--python",
            paramLabel = "PATH",
            defaultValue = "python3",
            description = "The Python that may have PyTorch (default: ${DEFAULT-VALUE}).")
    private String python;

    @Option(names = "--rehearsal", description = "Everything small: to see that all of it starts.")
    private boolean rehearsal;

    /** Explains the steps in the usage text. */
    @Spec
    void explain(CommandSpec given) {
        List<String> text = new ArrayList<>(List.of(given.usageMessage().description()));
        DayStep.all(List.of(), "", false)
                .forEach(step -> text.add("  " + step.number() + " " + step.name() + ", at most " + step.minutes()
                        + " minutes. " + step.title() + "."));
        given.usageMessage().description(text.toArray(String[]::new));
    }

    @Override
    public Integer call() throws IOException {
        Locations.checkCreatable(out.resolve("report.md"));
        List<DayStep> all = DayStep.all(GpuCheckCommand.ofTheRepository(), python, rehearsal);
        List<DayStep> steps = asked.stream()
                .flatMap(name -> named(name, all).stream())
                .distinct()
                .toList();
        DayRun run = new DayRun(out, LocalDate.now(ZoneOffset.UTC).toString(), console());
        boolean well = true;
        for (DayStep step : steps) {
            well &= run.run(rehearsal ? step.rehearsed() : step);
        }
        return well ? 0 : 1;
    }

    private static List<DayStep> named(String name, List<DayStep> all) {
        if (name.toLowerCase(Locale.ROOT).equals(ALL)) {
            return all;
        }
        List<DayStep> found = all.stream()
                .filter(step -> step.name().equals(name)
                        || Integer.toString(step.number()).equals(name))
                .toList();
        if (found.isEmpty()) {
            throw new UserError("Cannot find step " + name + "; there are 0 to " + (all.size() - 1) + ", and all");
        }
        return found;
    }
}
