package io.github.broadloom.tools.commands;

import io.github.broadloom.plan.Figures;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.picture.SizesPicture;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import io.github.broadloom.tools.session.TableInput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dedup",
        header = "Finds rows that are nearly the same, and groups them.",
        description = {
            "Finds, for each row of DATA [N,D], the rows that are no farther than the threshold: the K nearest, and of"
                    + " those that may have more twice as many, again and again. Rows that are tied by a chain of such pairs are a group."
                    + " groups.parquet has every row, and as its group the first row of it: those where both are the same are"
                    + " one of each. sizes.png shows how large the groups are.",
            "A row with NaN is near to nothing.",
            "",
            "Without DATA it makes rows, x.npy, a third of which are copies of others with a little noise: 20000 in 16"
                    + " columns, with the threshold 0.05."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} dedup",
            "  ${ROOT-COMMAND-NAME} dedup images.npy --threshold 0.5 --out out/images",
            "  ${ROOT-COMMAND-NAME} dedup documents.parquet:embedding --threshold 0.02 --metric cosine",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DedupCommand extends Tool {
    private static final String GROUPS = "groups.parquet";
    private static final String PICTURE = "sizes.png";
    private static final String MADE = "x.npy";
    private static final int DEFAULT_ROWS = 20_000;
    private static final int DEFAULT_COLUMNS = 16;
    private static final double MADE_THRESHOLD = 0.05;
    private static final int MOST_NAMED = 5;

    @Parameters(
            paramLabel = "DATA",
            arity = "0..1",
            description = "A matrix [N,D]: a .npy file, a folder of parts, or an array of a FILE.npz:KEY, on any file"
                    + " system that Hadoop knows; or a column, as table:NAME.COLUMN or FILE.parquet:COLUMN.")
    private @Nullable String input;

    @Option(
            names = "--threshold",
            paramLabel = "T",
            description = "How far rows may be from each other that are nearly the same.")
    private @Nullable Double threshold;

    @Mixin
    private MetricOption metric;

    @Option(
            names = "-k",
            paramLabel = "K",
            defaultValue = "16",
            description = "How many nearest rows of each to begin with (default: ${DEFAULT-VALUE}).")
    private int k;

    @Option(
            names = "--most",
            paramLabel = "K",
            defaultValue = "256",
            description = "How many nearest rows of each to look for at most (default: ${DEFAULT-VALUE}).")
    private int most;

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
                dedup(broadloom, TableInput.read(session, broadloom, input));
            } else {
                out.create();
                int rows = made.rows(DEFAULT_ROWS);
                dedup(
                        broadloom,
                        TableInput.made(
                                broadloom,
                                Demo.copies(rows, made.columns(DEFAULT_COLUMNS), made.seed()),
                                out.file(MADE)));
            }
        }
        return 0;
    }

    private void check() {
        if (input != null && threshold == null) {
            throw new UserError(
                    "Cannot tell which rows are nearly the same: give --threshold, a " + metric.words() + " distance");
        }
        if (!Double.isFinite(threshold())) {
            throw new UserError("Cannot find rows no farther than " + threshold + "; --threshold takes a number");
        }
        if (k < 1 || most < k) {
            throw new UserError("Cannot look for the nearest " + k + " to " + most
                    + " rows; -k takes at least 1, and --most no less than that");
        }
        made.check(input == null ? List.of() : List.of(input));
        if (input != null) {
            Locations.checkInput(input);
        } else {
            out.check(List.of(MADE));
        }
        out.check(List.of(PICTURE));
        out.checkTable(GROUPS);
    }

    private double threshold() {
        return threshold == null ? MADE_THRESHOLD : threshold;
    }

    private void dedup(Broadloom broadloom, TableInput x) throws IOException {
        Console console = console();
        console.say("DATA is %s", x.described());
        long started = System.nanoTime();
        try (Duplicates found = new NearPairs(broadloom, x, metric.value(), threshold(), console).grouped(k, most)) {
            console.say(
                    "grouped in %s, %.1f s in all",
                    Figures.count(found.rounds(), "round"), (System.nanoTime() - started) / 1e9);
            String sizes = Figures.count(x.count(), "row") + ", " + Figures.count(found.groups(), "group") + " of "
                    + Figures.count(found.grouped(), "row") + " no farther than " + threshold() + " ("
                    + metric.words() + "), " + Figures.count(x.count() - found.grouped() + found.groups(), "row")
                    + " when one of each is kept";
            console.say("%s", sizes);
            found.largest(MOST_NAMED)
                    .forEach((first, size) -> console.say("  a group of %,d rows, the first of them %,d", size, first));
            out.create();
            found.write(x.count(), out.address(GROUPS));
            console.say("wrote %s: row and group, %s", out.file(GROUPS), Figures.count(x.count(), "row"));
            console.draw(
                    SizesPicture.of("Rows that are nearly the same", sizes, found.sizes()),
                    out.file(PICTURE),
                    "how large the groups are");
        }
    }
}
