package io.github.broadloom.examples;

import io.github.broadloom.device.Threads;
import io.github.broadloom.examples.bench.Bench;
import io.github.broadloom.examples.bench.Contender;
import io.github.broadloom.examples.bench.LocalContender;
import io.github.broadloom.examples.bench.Measurement;
import io.github.broadloom.examples.bench.PeakMemory;
import io.github.broadloom.examples.bench.Peers;
import io.github.broadloom.examples.bench.Report;
import io.github.broadloom.examples.bench.Rounds;
import io.github.broadloom.examples.bench.SparkContender;
import io.github.broadloom.examples.bench.Workload;
import io.github.broadloom.examples.bench.Workloads;
import io.github.broadloom.spark.Broadloom;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures workloads beside what people use instead. */
@Command(
        name = "bench",
        header = "Measures workloads, beside NumPy, PyTorch, JAX and others if wanted.",
        description = {
            "",
            "Each workload runs here, on Spark with cached chunks, and with --peers in other libraries, all in one run;"
                    + " beside them stands what copying the same bytes takes on this machine. Every result is compared"
                    + " with the local one; who computes something else is named and not measured.",
            "",
            "DJL's PyTorch and ND4J are measured where they were built: ./mvnw -Ppeers -pl examples/peers"
                    + " process-classes.",
            ""
        },
        footer = {
            "",
            "Workloads: W1 to W10; without a name, all of them. --list explains them.",
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} bench W1 W6",
            "  ${ROOT-COMMAND-NAME} bench --peers --python ~/venv/bin/python --json bench.json --png bench.png",
            "  ${ROOT-COMMAND-NAME} bench W4 W5 --only broadloom-local --memory",
            "",
            "The largest workloads need about 2 GiB off the heap; BROADLOOM_JAVA_OPTS=-XX:MaxDirectMemorySize=8g helps"
                    + " where that is missing."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class BenchCommand implements Callable<Integer> {
    private static final int MOST_WARM_UP_SECONDS = 3600;

    @Parameters(paramLabel = "W1 …", arity = "0..*", description = "Which workloads (default: all).")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Explain the workloads and end.")
    private boolean list;

    @Option(names = "--peers", description = "Measure other libraries, too; absent ones are named.")
    private boolean peers;

    @Option(
            names = "--only",
            paramLabel = "WHO",
            split = ",",
            description =
                    "Only these: broadloom-local, broadloom-spark, numpy, numpy+out, numexpr, torch, torch.compile,"
                            + " jax.jit, dask, djl, nd4j.")
    private List<String> only = List.of();

    @Option(
            names = "--python",
            paramLabel = "PATH",
            defaultValue = "/usr/bin/python3",
            description = "The Python that has them (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private String python;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many calls are measured (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many calls come before at least (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--warm-up-seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "How long calls come before at least (default: ${DEFAULT-VALUE}).")
    private double warmUpSeconds;

    @Option(names = "--threads", paramLabel = "N", description = "Threads for everyone (default: all processors).")
    private @Nullable Integer threads;

    @Option(
            names = "--memory",
            description = "Measure what broadloom-local takes of memory at its peak, too, each workload in a new JVM.")
    private boolean memory;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private ReportFiles files;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            Workloads.all().forEach(w -> out.printf("%-4s %s%n     %s%n", w.name(), w.title(), w.text()));
            return 0;
        }
        List<Workload> workloads = workloads();
        check();
        Map<String, List<String>> absent = new LinkedHashMap<>();
        List<Measurement> measurements = measure(workloads, absent);
        Report report = new Report(measurements, memory ? peaks(workloads, measurements) : Map.of());
        report.print(out);
        absent.forEach((why, which) -> out.println("not measured: " + String.join(", ", which) + " of " + why));
        return measurements.isEmpty() ? 1 : 0;
    }

    private Map<String, PeakMemory> peaks(List<Workload> workloads, List<Measurement> measurements) throws IOException {
        Map<String, PeakMemory> peaks = new LinkedHashMap<>();
        for (Workload workload : workloads) {
            PeakMemory.of(workload, usedThreads()).ifPresent(peak -> peaks.put(workload.name(), peak));
            files.write(new Report(measurements, peaks));
        }
        return peaks;
    }

    private int usedThreads() {
        return threads == null ? Threads.local() : threads;
    }

    private List<Workload> workloads() {
        List<Workload> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(Workloads.find(name)
                    .orElseThrow(() -> new UserError("Cannot find workload " + name + "; there are "
                            + Workloads.all().stream().map(Workload::name).collect(Collectors.joining(", ")))));
        }
        return chosen.isEmpty() ? Workloads.all() : chosen;
    }

    private void check() {
        if (repeat < 1 || warmUp < 0 || !(warmUpSeconds >= 0 && warmUpSeconds <= MOST_WARM_UP_SECONDS)) {
            throw new UserError("Cannot measure " + repeat + " calls after " + warmUp + " calls and " + warmUpSeconds
                    + " seconds; --repeat takes at least 1, --warm-up at least 0 and --warm-up-seconds 0 to "
                    + MOST_WARM_UP_SECONDS);
        }
        if (threads != null && threads < 1) {
            throw new UserError("Cannot use " + threads + " threads; give at least 1");
        }
        List<String> known = new ArrayList<>(List.of(Measurement.LOCAL, Measurement.SPARK));
        known.addAll(Peers.names());
        for (String who : only) {
            if (!known.contains(who)) {
                throw new UserError("Cannot measure " + who + "; there are " + String.join(", ", known));
            }
        }
        files.check();
    }

    private boolean wanted(String who) {
        return only.isEmpty() ? peers || !Peers.names().contains(who) : only.contains(who);
    }

    private List<Measurement> measure(List<Workload> workloads, Map<String, List<String>> absent) throws IOException {
        int used = usedThreads();
        System.setProperty(Threads.PROPERTY, Integer.toString(used));
        List<Contender> contenders = new ArrayList<>();
        if (wanted(Measurement.LOCAL)) {
            contenders.add(new LocalContender(Version.number()));
        }
        List<Contender> others = new ArrayList<>();
        for (String who : Peers.names()) {
            if (wanted(who)) {
                others.add(Peers.contender(who, python, used));
            }
        }
        if (!wanted(Measurement.SPARK)) {
            contenders.addAll(others);
            return run(contenders, used, workloads, absent);
        }
        try (Sessions.Session session = Sessions.start("bench", Optional.of("local[" + used + "]"), debug.on())) {
            contenders.add(new SparkContender(Broadloom.on(session.spark()), Version.number()));
            contenders.addAll(others);
            return run(contenders, used, workloads, absent);
        }
    }

    private List<Measurement> run(
            List<Contender> contenders, int used, List<Workload> workloads, Map<String, List<String>> absent)
            throws IOException {
        long steps = (long) workloads.size() * (contenders.size() + 1);
        try (Progress progress = Progress.of("bench", steps)) {
            return new Bench(contenders, used, new Rounds(warmUp, warmUpSeconds, repeat))
                    .run(workloads, new Hearing(progress, absent, files));
        }
    }

    /** The progress bar, the files, and what is missing in the table: the workloads by contender and reason. */
    private static final class Hearing implements Bench.Listener {
        private final Progress progress;
        private final Map<String, List<String>> absent;
        private final ReportFiles files;

        Hearing(Progress progress, Map<String, List<String>> absent, ReportFiles files) {
            this.progress = progress;
            this.absent = absent;
            this.files = files;
        }

        @Override
        public void begins(String workload, String who) {
            progress.says(workload + " " + who);
        }

        @Override
        public void ends() {
            progress.step();
        }

        @Override
        public void absent(String workload, String who, String reason) {
            absent.computeIfAbsent(who + ": " + reason, why -> new ArrayList<>())
                    .add(workload);
        }

        @Override
        public void finished(List<Measurement> all) throws IOException {
            files.write(new Report(all, Map.of()));
        }
    }
}
