package io.github.broadloom.bench;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.Progress;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.Sessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * One run of the benchmark: makes what is measured, starts Spark where that is among it, and shows how far it is.
 *
 * @param device what computes
 * @param workloads what is computed
 * @param contenders who is measured, by names of {@link #known}
 * @param python the interpreter of the libraries for Python
 * @param threads for everyone
 * @param rounds how often
 * @param debug whether Spark's log is shown
 */
public record BenchRun(
        Device device,
        List<Workload> workloads,
        List<String> contenders,
        String python,
        int threads,
        Rounds rounds,
        boolean debug) {

    private static final List<String> ON_SPARK = List.of(
            Measurement.SPARK,
            Measurement.SQL,
            Measurement.FRAME,
            Measurement.SPARK_SQL,
            Measurement.SPARK_RDD,
            Measurement.SPARK_COPY);

    /** What came of it. */
    public static final class Result {
        private final List<Measurement> measurements = new ArrayList<>();
        private final Map<String, List<String>> absent = new LinkedHashMap<>();

        /** In the order in which they were made. */
        public List<Measurement> measurements() {
            return List.copyOf(measurements);
        }

        /** A line for each reason why something is missing. */
        public List<String> absent() {
            return absent.entrySet().stream()
                    .map(why -> "not measured: " + String.join(", ", why.getValue()) + " of " + why.getKey())
                    .toList();
        }
    }

    /** Who can be measured on a device: Broadloom first. */
    static List<String> known(Device device) {
        List<String> known = new ArrayList<>(own(device));
        known.addAll(Peers.names(device));
        return known;
    }

    /** Broadloom's own ways to compute on a device, and Spark's, where Spark is. */
    static List<String> own(Device device) {
        if (!device.isCpu()) {
            return List.of(Measurement.CUDA);
        }
        List<String> own = new ArrayList<>(List.of(Measurement.LOCAL));
        if (SparkJars.present()) {
            own.addAll(ON_SPARK);
        }
        return own;
    }

    /** Hears all measurements so far when everyone had a turn with a workload. */
    public interface Listener {
        void measured(List<Measurement> all) throws IOException;
    }

    /** Measures. */
    public Result measure(Listener listener) throws IOException {
        System.setProperty(DeviceSettings.THREADS.name(), Integer.toString(threads));
        List<Contender> made = new ArrayList<>();
        for (String who : contenders) {
            if (!ON_SPARK.contains(who)) {
                made.add(made(who));
            }
        }
        if (workloads.stream().noneMatch(this::needsSpark)) {
            return measure(made, listener);
        }
        Optional<String> master = Optional.of("local[" + threads + "]");
        Map<String, String> onDevice = Map.of(SparkSettings.DEVICE.sparkName(), device.toString());
        try (Sessions.Session session = Sessions.start("bench", master, onDevice, debug)) {
            Table table = new Table(session.spark(), threads);
            ON_SPARK.stream()
                    .filter(contenders::contains)
                    .map(who -> onSpark(who, session.spark(), table))
                    .forEach(made::add);
            made.sort(Comparator.comparing(contender -> contenders.indexOf(contender.who())));
            return measure(made, listener);
        }
    }

    private boolean needsSpark(Workload workload) {
        return workload.queries().isEmpty()
                ? contenders.contains(Measurement.SPARK)
                : !Collections.disjoint(workload.queries().keySet(), contenders);
    }

    private Contender made(String who) throws IOException {
        return switch (who) {
            case Measurement.LOCAL -> new LocalContender(Version.number());
            case Measurement.CUDA -> new DeviceContender(device, Version.number());
            default -> Peers.contender(who, python, device, threads);
        };
    }

    private Contender onSpark(String who, SparkSession session, Table table) {
        return switch (who) {
            case Measurement.SPARK -> new SparkContender(Broadloom.on(session), Version.number());
            case Measurement.SPARK_SQL -> new TableContender(who, session.version(), table, TableContender::read);
            case Measurement.SPARK_RDD -> new TableContender(who, session.version(), table, TableContender::keep);
            case Measurement.SPARK_COPY -> new SparkCopyContender(session, threads);
            case Measurement.FRAME -> new TableContender(who, Version.number(), table, TableContender::stack);
            default -> new TableContender(who, Version.number(), table, TableContender::read);
        };
    }

    private Result measure(List<Contender> made, Listener listener) throws IOException {
        Result result = new Result();
        Bench bench = new Bench(made, device, threads, rounds);
        try (Progress progress = Progress.of("bench", bench.steps(workloads))) {
            result.measurements.addAll(bench.run(workloads, new Hearing(progress, result.absent, listener)));
        }
        return result;
    }

    /** The progress bar, the listener, and what is missing: the workloads by contender and reason. */
    private record Hearing(Progress progress, Map<String, List<String>> absent, Listener listener)
            implements Bench.Listener {
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
            listener.measured(all);
        }
    }
}
