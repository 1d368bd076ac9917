package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.picture.NearestPicture;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import io.github.broadloom.tools.session.TableInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pairwise",
        header = "Finds the nearest row of B for each row of A: more pairs than memory could hold.",
        description = {
            "Broadcasts A [N,1,D] with B [1,M,D], takes the distance of every pair and keeps, for each row of A, the"
                    + " number of the nearest row of B (index.npy, int64 [N]; of equally near ones the first) and how far it is"
                    + " (distance.npy, [N]). The pairs are never stored, whatever their number. nearest.png shows the result,"
                    + " plan.svg and plan.html how it was computed and what that took.",
            "",
            "Without files it makes two sets of points, a.npy and b.npy: 60000 and a third as many, in two dimensions."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} pairwise",
            "  ${ROOT-COMMAND-NAME} pairwise --rows 20000 --columns 16 --metric manhattan --out out/manhattan",
            "  ${ROOT-COMMAND-NAME} pairwise a.npy b.npz:points --out out/nearest --chunk-bytes 256k",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PairwiseCommand extends Tool {
    private static final String INDEX = "index.npy";
    private static final String DISTANCE = "distance.npy";
    private static final String PICTURE = "nearest.png";
    private static final String PLAN = "plan.svg";
    private static final List<String> FILES = List.of(INDEX, DISTANCE, PICTURE, PLAN, PlanPage.FILE);
    private static final List<String> MADE = List.of("a.npy", "b.npy");
    private static final int DEFAULT_ROWS = 60_000;
    /** Of more rows the picture shows the first ones. */
    private static final long MOST_DRAWN_ROWS = 1 << 20;

    @Parameters(
            paramLabel = "A B",
            arity = "0..2",
            description = "Two matrices [N,D] and [M,D]: .npy files, folders of parts, or arrays of a FILE.npz:KEY, on"
                    + " any file system that Hadoop knows; or columns, as table:NAME.COLUMN or FILE.parquet:COLUMN.")
    private List<String> inputs = List.of();

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            defaultValue = "euclidean",
            description = "The distance: euclidean, sqeuclidean, manhattan or chebyshev (default: ${DEFAULT-VALUE}).")
    private Metric metric;

    @Option(
            names = "--others",
            paramLabel = "M",
            description = "Without files: how many rows of B to make (default: a third of A's).")
    private @Nullable Integer others;

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
            if (inputs.isEmpty()) {
                out.create();
                int rows = made.rows(DEFAULT_ROWS);
                TableInput a = made(broadloom, MADE.get(0), rows, 0);
                compare(a, made(broadloom, MADE.get(1), others == null ? Math.max(1, rows / 3) : others, 1));
            } else {
                compare(
                        TableInput.read(session, broadloom, inputs.get(0)),
                        TableInput.read(session, broadloom, inputs.get(1)));
            }
        }
        return 0;
    }

    private void check() {
        if (inputs.size() == 1) {
            throw new UserError("Cannot compare " + inputs.get(0)
                    + " alone: name B, too (the same file twice compares its rows with each other)");
        }
        if (inputs.size() > 2) {
            throw new UserError(
                    "Cannot compare " + inputs.size() + " files: name A and B; the third is " + inputs.get(2));
        }
        made.check(inputs);
        if (others != null) {
            MadeData.checkSize("--others", others);
            if (!inputs.isEmpty()) {
                throw new UserError("Cannot make rows where files are given; leave out --others");
            }
        }
        inputs.forEach(Locations::checkInput);
        out.check(FILES);
        if (inputs.isEmpty()) {
            out.check(MADE);
        }
    }

    private TableInput made(Broadloom broadloom, String file, int rows, int set) throws IOException {
        return TableInput.made(broadloom, Demo.points(rows, made.columns(2), made.seed(), set), out.file(file));
    }

    private void compare(TableInput a, TableInput b) throws IOException {
        if (a.columns() != b.columns()) {
            throw new UserError("Cannot compare rows of " + a.described() + " with rows of " + b.described()
                    + ": they have " + a.columns() + " and " + b.columns() + " columns");
        }
        checkNumbers(b);
        Pairwise pairwise = Pairwise.of(a.values(), b.values(), metric);
        Console console = console();
        console.say("A is %s%nB is %s", a.described(), b.described());
        String product = product(a, b);
        console.say("%s", product);
        out.create();
        long started = System.nanoTime();
        DistributedTensor pass = pairwise.pass().materialize();
        pairwise.index().writeNpy(out.address(INDEX), out.mode());
        pairwise.distance().writeNpy(out.address(DISTANCE), out.mode());
        double seconds = (System.nanoTime() - started) / 1e9;
        RunReport run = pass.lastRun().orElseThrow();
        pass.unpersist();
        console.wrote(out.file(INDEX), "int64 [" + a.count() + "]");
        console.wrote(out.file(DISTANCE), pairwise.distance().dtype() + " [" + a.count() + "]");
        console.say("%,d pairs in %.1f s", a.count() * b.count(), seconds);
        leavePictures(a, b, run, product, console);
    }

    /** A row with NaN would be nearest to everything, as NaN is the least of all in argmin. */
    private static void checkNumbers(TableInput b) {
        if (!b.values().dtype().isFloatingPoint()) {
            return;
        }
        long broken = b.values().isnan().any(1).sum().collect().getLong();
        if (broken > 0) {
            throw new UserError("Cannot compare with " + b.described() + ": " + Figures.count(broken, "row")
                    + " with NaN, which is near nothing; leave such rows out");
        }
    }

    private static String product(TableInput a, TableInput b) {
        DType dtype = Floats.of(a.values().dtype(), b.values().dtype());
        double bytes = (double) a.count() * b.count() * b.columns() * dtype.bytes();
        return String.format(
                Locale.ROOT,
                "the differences of all pairs, %s [%d, %d, %d], would be %s; the heap of this process is %s",
                dtype,
                a.count(),
                b.count(),
                b.columns(),
                ByteSize.inWords((long) bytes),
                ByteSize.inWords(Runtime.getRuntime().maxMemory()));
    }

    private void leavePictures(TableInput a, TableInput b, RunReport run, String product, Console console)
            throws IOException {
        long drawn = Math.min(a.count(), MOST_DRAWN_ROWS);
        double[] values =
                Npy.readRows(out.file(DISTANCE), 0, drawn).to(DType.FLOAT64).toDoubleArray();
        long nans = Arrays.stream(values).filter(Double::isNaN).count();
        if (nans > 0) {
            console.say(
                    "note: %s of A have NaN, and so no nearest row: their distance is NaN", Figures.count(nans, "row"));
        }
        String word = metric.name().toLowerCase(Locale.ROOT);
        String sizes = Figures.count(a.count(), "row") + " of A, " + Figures.count(b.count(), "row") + " of B, "
                + Figures.count(a.columns(), "column");
        NearestPicture.Plane plane = a.columns() == 2 && b.count() <= MOST_DRAWN_ROWS
                ? new NearestPicture.Plane(
                        first(a).collect(), b.values().collect(), Npy.readRows(out.file(INDEX), 0, drawn))
                : null;
        console.draw(NearestPicture.of("Nearest rows", sizes, word, values, plane), out.file(PICTURE), "the result");
        new PlanPage("Nearest rows", sizes + "; " + product + ".")
                .add("all pairs", run, PLAN)
                .leave(out, console);
    }

    private static DistributedTensor first(TableInput rows) {
        return rows.values().narrow(0, 0, Math.min(rows.count(), MOST_DRAWN_ROWS));
    }
}
