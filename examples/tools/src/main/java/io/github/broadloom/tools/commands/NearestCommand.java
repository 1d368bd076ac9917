package io.github.broadloom.tools.commands;

import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.io.Npy;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.picture.NearestPicture;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import io.github.broadloom.tools.session.TableInput;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "nearest",
        header = "Finds the K nearest rows of B for each row of A: more pairs than memory could hold.",
        description = {
            "Looks at every pair of a row of A [N,D] and a row of B [M,D], in blocks that stay in cache, and keeps, for each"
                    + " row of A, the numbers of the K nearest rows of B (indices.npy, int64 [N,K]; the nearest first, of"
                    + " equally near ones the first) and how far they are (distances.npy, float64 [N,K]). nearest.png shows the"
                    + " result, plan.txt how it is computed.",
            "NaN is farther than anything: a row of B with NaN is near to nothing, and a row of A with NaN to no row.",
            "",
            "Without files it makes two sets of points, a.npy and b.npy: 60000 and a third as many, in two dimensions."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} nearest",
            "  ${ROOT-COMMAND-NAME} nearest --rows 20000 --columns 16 -k 1 --metric manhattan --out out/manhattan",
            "  ${ROOT-COMMAND-NAME} nearest queries.parquet:embedding table:documents.embedding --metric cosine --out out/nearest",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class NearestCommand extends Tool {
    private static final String INDICES = "indices.npy";
    private static final String DISTANCES = "distances.npy";
    private static final String PICTURE = "nearest.png";
    private static final String PLAN = "plan.txt";
    private static final List<String> FILES = List.of(INDICES, DISTANCES, PICTURE, PLAN);
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
            names = "-k",
            paramLabel = "K",
            defaultValue = "5",
            description = "How many nearest rows of each (default: ${DEFAULT-VALUE}).")
    private int k;

    @Mixin
    private MetricOption metric;

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
        if (k < 1) {
            throw new UserError("Cannot find the nearest " + k + " rows; -k takes at least 1");
        }
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
        if (k > b.count()) {
            throw new UserError(
                    "Cannot find the nearest " + k + " rows of " + b.described() + ": -k takes at most " + b.count());
        }
        Console console = console();
        console.say("A is %s%nB is %s", a.described(), b.described());
        console.say("%s", pairs(a, b));
        String plan = a.values().explainNearest(b.values(), k, metric.value());
        console.say("%s", plan.stripTrailing());
        out.create();
        long started = System.nanoTime();
        ValuesAndIndices<DistributedTensor> found = a.values().nearest(b.values(), k, metric.value());
        double seconds = (System.nanoTime() - started) / 1e9;
        found.indices().writeNpy(out.address(INDICES), out.mode());
        found.values().writeNpy(out.address(DISTANCES), out.mode());
        console.wrote(out.file(INDICES), "int64 " + found.indices().shape());
        console.wrote(out.file(DISTANCES), "float64 " + found.values().shape());
        console.say("%,d pairs in %.1f s", a.count() * b.count(), seconds);
        note(found.values(), console);
        draw(a, b, console);
        OutputFile.write(out.file(PLAN), plan);
        console.wrote(out.file(PLAN), "the plan");
        found.values().unpersist();
        found.indices().unpersist();
    }

    private static String pairs(TableInput a, TableInput b) {
        return String.format(
                Locale.ROOT,
                "the distances of all pairs, float64 [%d, %d], would be %s; the heap of this process is %s",
                a.count(),
                b.count(),
                ByteSize.inWords((long) (8.0 * a.count() * b.count())),
                ByteSize.inWords(Runtime.getRuntime().maxMemory()));
    }

    private static void note(DistributedTensor distances, Console console) {
        long none = distances.select(1, 0).isnan().sum().collect().getLong();
        if (none > 0) {
            console.say(
                    "note: %s of A have a NaN for every distance, and so no nearest row", Figures.count(none, "row"));
        }
    }

    private void draw(TableInput a, TableInput b, Console console) throws IOException {
        long drawn = Math.min(a.count(), MOST_DRAWN_ROWS);
        Tensor distances = Npy.readRows(out.file(DISTANCES), 0, drawn);
        String sizes = Figures.count(a.count(), "row") + " of A, " + Figures.count(b.count(), "row") + " of B, "
                + Figures.count(a.columns(), "column");
        NearestPicture.Plane plane = a.columns() == 2 && b.count() <= MOST_DRAWN_ROWS
                ? new NearestPicture.Plane(
                        first(a).collect(),
                        b.values().collect(),
                        Npy.readRows(out.file(INDICES), 0, drawn).select(1, 0).contiguous())
                : null;
        console.draw(
                NearestPicture.of("Nearest rows", sizes, metric.words(), distances, plane),
                out.file(PICTURE),
                "the result");
    }

    private static DistributedTensor first(TableInput rows) {
        return rows.values().narrow(0, 0, Math.min(rows.count(), MOST_DRAWN_ROWS));
    }
}
