package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Machine;
import io.github.broadloom.bench.Rounds;
import io.github.broadloom.bench.Seconds;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "bench-nearest",
        header = "Measures NEAREST BY beside Spark's own join of all pairs and faiss.",
        description = {
            "Tables in Parquet files are joined with their nearest, and the rows that come out are read to their end. Spark's own way is measured with fewer rows,"
                    + " and Broadloom's beside it; faiss, if --python has it, searches the same vectors in memory. How many of its neighbours are ours"
                    + " is told, too; and how much was read of the tables, and written to disks meanwhile.",
            "",
            "Runs where Spark has the statement: 4.2."
        },
        footerHeading = "%n",
        footer = {
            "Examples:",
            "  ${ROOT-COMMAND-NAME} bench-nearest --only scalars",
            "  BROADLOOM_JAVA_OPTS=-Xmx512m ${ROOT-COMMAND-NAME} bench-nearest --only scalars",
            "  BROADLOOM_JAVA_OPTS='-Xmx1g -Dspark.broadloom.sql.nearestBytes=96m' ${ROOT-COMMAND-NAME} bench-nearest --only vectors --rows 200000 --dims 128",
            "  ${ROOT-COMMAND-NAME} bench-nearest --rows 30000 --dims 768 -k 10 --python ~/venv/bin/python"
        })
final class BenchNearestCommand extends Tool {
    @Option(names = "--rows", defaultValue = "30000", description = "Of each table (default: ${DEFAULT-VALUE}).")
    private int rows;

    @Option(
            names = "--stock-rows",
            defaultValue = "2000",
            description = "Of each table that Spark's own way joins (default: ${DEFAULT-VALUE}).")
    private int stockRows;

    @Option(names = "--dims", defaultValue = "768", description = "Of the vectors (default: ${DEFAULT-VALUE}).")
    private int dims;

    @Option(names = "-k", defaultValue = "10", description = "How many neighbours (default: ${DEFAULT-VALUE}).")
    private int k;

    @Option(names = "--repeat", defaultValue = "3", description = "Measured calls (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "WHAT",
            defaultValue = "scalars,vectors",
            description = "Of scalars and vectors (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private List<String> only;

    @Option(
            names = "--python",
            paramLabel = "PATH",
            defaultValue = "/usr/bin/python3",
            description = "The Python that has faiss (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String python;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("broadloom-nearest");
        try (Sessions.Session session = spark.start(this)) {
            console().say("%s", Machine.describe());
            Run run = new Run(session.spark(), spark.broadloom(session), folder, console());
            if (only.contains("scalars")) {
                run.measure("scalars", 5, rows);
                run.measure("scalars", 5, stockRows);
                run.stock("scalars", 5, stockRows);
            }
            if (only.contains("vectors")) {
                run.measure("vectors", k, rows);
                run.faiss();
                run.measure("vectors", k, stockRows);
                run.stock("vectors", k, stockRows);
            }
            return 0;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private final class Run {
        private final SparkSession session;
        private final Broadloom broadloom;
        private final Path folder;
        private final Console out;
        private final TaskReads reads = new TaskReads();

        Run(SparkSession session, Broadloom broadloom, Path folder, Console out) {
            this.session = session;
            this.broadloom = broadloom;
            this.folder = folder;
            this.out = out;
            session.sparkContext().addSparkListener(reads);
        }

        /** A file of rows of that kind, in two parts; rows of one seed are always the same. */
        private Dataset<Row> table(String kind, String side, int count) {
            String path = folder.resolve(kind + side + count).toString();
            if (!Files.exists(Path.of(path))) {
                String element = "float((xxhash64(id, i, '" + side + "') & 1048575) / 524288D - 1)";
                String value = kind.equals("scalars")
                        ? "(xxhash64(id, '" + side + "') & 1073741823) / 1073741824D"
                        : "transform(sequence(1, " + dims + "), i -> " + element + ")";
                session.range(0, count, 1, 2)
                        .selectExpr("id", value + " AS v")
                        .write()
                        .parquet(path);
            }
            return session.read().parquet(path);
        }

        private Dataset<Row> joined(String kind, int neighbours, int count) {
            table(kind, "l", count).createOrReplaceTempView("l");
            table(kind, "r", count).createOrReplaceTempView("r");
            String ranking = kind.equals("scalars") ? "abs(l.v - r.v)" : "vector_l2_distance(l.v, r.v)";
            return session.sql("SELECT l.id, r.id AS other, " + ranking + " AS distance FROM l JOIN r EXACT NEAREST "
                    + neighbours + " BY DISTANCE " + ranking);
        }

        void measure(String kind, int neighbours, int count) {
            measure(kind, neighbours, count, true);
        }

        /** As Spark runs it by itself. */
        void stock(String kind, int neighbours, int count) {
            measure(kind, neighbours, count, false);
        }

        private void measure(String kind, int neighbours, int count, boolean isOurs) {
            session.conf().set("spark.broadloom.sql.nearest", isOurs);
            Dataset<Row> joined = joined(kind, neighbours, count);
            String note = isOurs ? reads.during(joined, () -> noop(joined)) : "";
            Seconds seconds = new Rounds(0, 0, isOurs ? repeat : 1).time(() -> noop(joined));
            tell(kind, count, isOurs ? "broadloom" : "spark " + session.version(), seconds, note);
        }

        private static void noop(Dataset<Row> rows) {
            rows.write().format("noop").mode("overwrite").save();
        }

        private void tell(String kind, int count, String who, Seconds seconds, String note) {
            out.say(
                    "%-8s %,9d rows  %-16s median %7.2f s, least %7.2f s %s",
                    kind, count, who, seconds.median(), seconds.min(), note);
        }

        /** The same vectors in memory, and how many of its neighbours the join found. */
        void faiss() throws IOException {
            for (String side : List.of("l", "r")) {
                DistributedTensor vectors = broadloom.fromDataFrame(table("vectors", side, rows), "v", "id");
                vectors.writeNpy(npy(side), WriteMode.OVERWRITE);
            }
            NearestPeer.Answer answer = new NearestPeer("faiss", python)
                    .run(Map.of(
                            "left",
                            npy("l"),
                            "right",
                            npy("r"),
                            "out",
                            npy("found"),
                            "k",
                            k,
                            "warm_up",
                            0,
                            "repeat",
                            repeat));
            if (!answer.absent().isEmpty()) {
                out.say("faiss is not measured: %s", answer.absent());
                return;
            }
            tell("vectors", rows, "faiss " + answer.version(), answer.seconds(), recall());
        }

        private String recall() throws IOException {
            session.conf().set("spark.broadloom.sql.nearest", true);
            Dataset<Row> ours = joined("vectors", k, rows);
            Tensor found = broadloom.readNpy(npy("found")).collect();
            long[] others = found.toLongArray();
            long common = ours.groupBy("id").agg(functions.collect_list("other").as("others")).collectAsList().stream()
                    .mapToLong(row -> row.<Long>getList(1).stream()
                            .filter(other -> contains(others, row.getLong(0), other))
                            .count())
                    .sum();
            found.release();
            return String.format("recall %.6f", common / (double) others.length);
        }

        private boolean contains(long[] others, long row, long other) {
            for (int i = 0; i < k; i++) {
                if (others[(int) row * k + i] == other) {
                    return true;
                }
            }
            return false;
        }

        private String npy(String name) {
            return folder.resolve(name + ".npy").toString();
        }
    }

    /** How many rows tasks read of files, and what they wrote to disks because memory was full. */
    private static final class TaskReads extends SparkListener {
        private final LongAdder read = new LongAdder();
        private final LongAdder spilled = new LongAdder();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskMetrics() != null) {
                read.add(end.taskMetrics().inputMetrics().recordsRead());
                spilled.add(end.taskMetrics().diskBytesSpilled());
            }
        }

        private static void hear(Dataset<Row> query) {
            try {
                query.sparkSession().sparkContext().listenerBus().waitUntilEmpty();
            } catch (TimeoutException e) {
                throw new IllegalStateException("Cannot count what tasks read: Spark does not say that they ended", e);
            }
        }

        /** Runs a query, and tells what it read and spilled. */
        String during(Dataset<Row> query, Runnable work) {
            hear(query);
            read.reset();
            spilled.reset();
            work.run();
            hear(query);
            return String.format("read %,d rows, spilled %.1f MB", read.sum(), spilled.sum() / 1e6);
        }
    }
}
