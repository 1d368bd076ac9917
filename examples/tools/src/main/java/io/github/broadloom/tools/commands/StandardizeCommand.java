package io.github.broadloom.tools.commands;

import io.github.broadloom.io.Npy;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.picture.ChartGrid;
import io.github.broadloom.tools.picture.RangesPicture;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import io.github.broadloom.tools.session.TableInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "standardize",
        header = "Gives each column mean 0 and deviation 1, reading the table exactly twice.",
        description = {
            "Finds mean, standard deviation, least, greatest and missing values of every column of X [N,D] in one pass,"
                    + " and writes (x - mean) / std in a second one: standardized.npy [N,D], mean.npy and std.npy [D]."
                    + " ranges.png shows the columns before and after, plan.html how they were computed and"
                    + " what that took.",
            "A constant column becomes NaN, as 0/0 in NumPy, and 0 with --eps; a column with a NaN becomes NaN. Both are"
                    + " named.",
            "",
            "Without a file it makes a table, x.npy, of 400000 rows and 12 columns."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} standardize",
            "  ${ROOT-COMMAND-NAME} standardize x.npy --eps 1e-12 --out out/x",
            "  ${ROOT-COMMAND-NAME} standardize table.npz:features --correction 1 --out out/features",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class StandardizeCommand extends Tool {
    private static final String RESULT = "standardized.npy";
    private static final String MEAN = "mean.npy";
    private static final String STD = "std.npy";
    private static final String PICTURE = "ranges.png";
    private static final List<String> PLANS = List.of("plan-statistics.svg", "plan-result.svg");
    private static final List<String> FILES =
            List.of(RESULT, MEAN, STD, PICTURE, PLANS.get(0), PLANS.get(1), PlanPage.FILE);
    private static final String MADE = "x.npy";
    private static final int DEFAULT_ROWS = 400_000;
    private static final int DEFAULT_COLUMNS = 12;
    private static final int MOST_NAMED = 8;

    @Parameters(
            paramLabel = "X",
            arity = "0..1",
            description = "A matrix [N,D]: a .npy file, a folder of parts, or an array of a FILE.npz:KEY, on any file"
                    + " system that Hadoop knows.")
    private @Nullable String input;

    @Option(
            names = "--eps",
            paramLabel = "E",
            defaultValue = "0",
            description = "Divide by E where the deviation is less (default: ${DEFAULT-VALUE}).")
    private double eps;

    @Option(
            names = "--correction",
            paramLabel = "C",
            defaultValue = "0",
            description =
                    "Divide the sum of squares by N - C: 0 as in NumPy, 1 as in PyTorch (default: ${DEFAULT-VALUE}).")
    private double correction;

    @Mixin
    private MadeData made;

    @Mixin
    private OutputFolder out;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        check();
        try (Sessions.Session session = spark.start(this)) {
            Broadloom broadloom = spark.broadloom(session);
            if (input != null) {
                standardize(broadloom, TableInput.read(session, broadloom, input));
            } else {
                out.create();
                Tensor table = Demo.table(made.rows(DEFAULT_ROWS), made.columns(DEFAULT_COLUMNS), made.seed());
                standardize(broadloom, TableInput.made(broadloom, table, out.file(MADE)));
            }
        }
        return 0;
    }

    private void check() {
        if (!(eps >= 0 && eps < Double.POSITIVE_INFINITY)) {
            throw new UserError("Cannot divide by at least " + eps + "; --eps takes 0 or more");
        }
        if (!(correction >= 0 && correction < Double.POSITIVE_INFINITY)) {
            throw new UserError("Cannot divide by N - " + correction + "; --correction takes 0 or more");
        }
        made.check(input == null ? List.of() : List.of(input));
        if (input != null) {
            Locations.checkInput(input);
        } else {
            out.check(List.of(MADE));
        }
        out.check(FILES);
    }

    private void standardize(Broadloom broadloom, TableInput x) throws IOException {
        Console console = console();
        console.say("X is %s", x.described());
        out.create();
        long started = System.nanoTime();
        DistributedTensor pass = Standardize.statistics(x.values(), correction);
        Statistics statistics = Statistics.of(pass.collect());
        DistributedTensor result = Standardize.of(broadloom, x.values(), statistics, eps);
        result.writeNpy(out.address(RESULT), out.mode());
        double seconds = (System.nanoTime() - started) / 1e9;
        Npy.write(statistics.means(), out.file(MEAN), out.mode());
        Npy.write(statistics.deviations(), out.file(STD), out.mode());
        console.wrote(out.file(RESULT), result.dtype() + " " + result.shape());
        console.wrote(out.file(MEAN), "float64 [" + x.columns() + "]");
        console.wrote(out.file(STD), "float64 [" + x.columns() + "]");
        note(statistics, console);
        RunReport first = pass.lastRun().orElseThrow();
        RunReport second = result.lastRun().orElseThrow();
        String read = String.format(
                Locale.ROOT,
                "%s and then %s were read of X, which has %s",
                ByteSize.inWords(first.figures().fileBytes()),
                ByteSize.inWords(second.figures().fileBytes()),
                ByteSize.inWords(x.values().dtype().sizeBytes(x.values().shape().numel())));
        console.say("%s; %.1f s", read, seconds);
        String sizes = Figures.count(x.count(), "row") + ", " + Figures.count(x.columns(), "column");
        ChartGrid picture = RangesPicture.of("Standardized columns", sizes, statistics.ranges(), statistics.after(eps));
        console.draw(picture, out.file(PICTURE), "the columns before and after");
        new PlanPage("Standardized columns", sizes + "; " + read + ".")
                .add("the statistics", first, PLANS.get(0))
                .add("the result", second, PLANS.get(1))
                .leave(out, console);
    }

    /** What a user would wonder at in the result. */
    private void note(Statistics statistics, Console console) {
        List<Integer> constant = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        for (int feature = 0; feature < statistics.features(); feature++) {
            if (statistics.nans()[feature] > 0) {
                missing.add(feature);
            } else if (statistics.isConstant(feature)) {
                constant.add(feature);
            }
        }
        if (!constant.isEmpty()) {
            String become = eps == 0 ? "becomes NaN, 0/0; with --eps 1e-12 it becomes 0" : "becomes 0, by --eps";
            console.say("note: %s: constant, and so %s", columns(constant), become);
        }
        if (!missing.isEmpty()) {
            long values = Arrays.stream(statistics.nans()).sum();
            console.say("note: %s: %d NaN, so that all of it becomes NaN", columns(missing), values);
        }
    }

    private static String columns(List<Integer> columns) {
        String named = columns.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        int more = columns.size() - MOST_NAMED;
        return (columns.size() == 1 ? "column " : "columns ") + named + (more > 0 ? " and " + more + " more" : "");
    }
}
