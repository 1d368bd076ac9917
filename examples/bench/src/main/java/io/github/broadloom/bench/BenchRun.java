package io.github.broadloom.bench;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.Sessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * One run of the benchmark: makes what is measured, starts Spark where that is among it, and shows how far it is.
 *
 * @param contenders who is measured, by names of {@link #known}
 * @param threads for everyone
 * @param tool for which Spark is started
 */
public record BenchRun(
        Device device,
        List<Workload> workloads,
        List<String> contenders,
        String python,
        int threads,
        Rounds rounds,
        Tool tool) {

    private static final List<String> ON_SPARK = List.of(
            Measurement.SPARK,
            Measurement.SQL,
            Measurement.FRAME,
            Measurement.SPARK_SQL,
            Measurement.SPARK_RDD,
            Measurement.SPARK_COPY);

    /** The measurements in the order in which they were made, and a line for each reason why something is missing. */
    public record Result(List<Measurement> measurements, List<String> absent) {}

    /** Who can be measured on a device: Broadloom first. */
    static List<String> known(Device device) {
        return Stream.concat(own(device).stream(), Peers.names(device).stream()).toList();
    }

    /** Broadloom's own ways to compute on a device, and Spark's, where Spark is. */
    static List<String> own(Device device) {
        if (!device.isCpu()) {
            return List.of(Measurement.CUDA);
        }
        Stream<String> onSpark = SparkJars.present() ? ON_SPARK.stream() : Stream.empty();
        return Stream.concat(Stream.of(Measurement.LOCAL), onSpark).toList();
    }

    /** Hears all measurements so far when everyone had a turn with a workload. */
    public interface Listener {
        void measured(List<Measurement> all) throws IOException;
    }

    public Result measure(Listener listener) throws IOException {
        System.setProperty(DeviceSettings.THREADS.name(), Integer.toString(threads));
        List<Contender> made = new ArrayList<>();
        for (String who : contenders) {
            if (!ON_SPARK.contains(who)) {
                made.add(made(who));
            }
        }
        if (workloads.stream().noneMatch(this::needsSpark)) {
            return new Bench(this, made).run(listener);
        }
        Optional<String> master = Optional.of("local[" + threads + "]");
        Map<String, String> onDevice = Map.of(SparkSettings.DEVICE.sparkName(), device.toString());
        try (Sessions.Session session = Sessions.start(tool, master, onDevice)) {
            Table table = new Table(session.spark(), threads);
            ON_SPARK.stream()
                    .filter(contenders::contains)
                    .map(who -> onSpark(who, session.spark(), table))
                    .forEach(made::add);
            made.sort(Comparator.comparing(contender -> contenders.indexOf(contender.who())));
            return new Bench(this, made).run(listener);
        }
    }

    private boolean needsSpark(Workload workload) {
        return workload.queries().isEmpty()
                ? contenders.contains(Measurement.SPARK)
                : !Collections.disjoint(workload.queries().keySet(), contenders);
    }

    private Contender made(String who) throws IOException {
        return own(device).contains(who) ? new LocalContender(device) : Peers.contender(who, python, device, threads);
    }

    private Contender onSpark(String who, SparkSession session, Table table) {
        return switch (who) {
            case Measurement.SPARK -> new SparkContender(Broadloom.on(session));
            case Measurement.SPARK_SQL -> new TableContender(who, session.version(), table, TableContender::read);
            case Measurement.SPARK_RDD -> new TableContender(who, session.version(), table, TableContender::keep);
            case Measurement.SPARK_COPY -> new SparkCopyContender(session, threads);
            case Measurement.FRAME -> new TableContender(who, Version.number(), table, TableContender::stack);
            default -> new TableContender(who, Version.number(), table, TableContender::read);
        };
    }
}
