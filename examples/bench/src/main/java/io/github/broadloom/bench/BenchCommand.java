package io.github.broadloom.bench;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.DeviceOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        header = "Measures workloads, beside NumPy, PyTorch, JAX and others if wanted.",
        description = {
            "Each workload runs here, on Spark with cached chunks, and with --peers in other libraries, all in one run;"
                    + " beside them stands what copying the same bytes takes on this machine. Every result is compared"
                    + " with the local one; who computes something else is named and not measured.",
            "",
            "With --device cuda they run on a GPU, beside PyTorch's there, and beside a copy on it: operands are there"
                    + " before, and a call ends when its result is complete.",
            "",
            "DJL's PyTorch and ND4J are measured where they were built: ./mvnw -Ppeers -pl examples/peers"
                    + " process-classes."
        },
        footerHeading = "%n",
        footer = {
            "Workloads: W1 to W10, which are all without a name; G1 to G17, or gpu for all of these: what the memory"
                    + " of a GPU limits; and S1 to S9, or sql for all of these: functions of SQL beside Spark's own,"
                    + " over a table in memory. --list explains them.",
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} bench W1 W6",
            "  ${ROOT-COMMAND-NAME} bench --peers --python ~/venv/bin/python --json bench.json --png bench.png",
            "  ${ROOT-COMMAND-NAME} bench W4 W5 --only broadloom-local --memory",
            "  ${ROOT-COMMAND-NAME} bench sql",
            "  ${ROOT-COMMAND-NAME} bench --device cuda --peers --python ~/venv/bin/python W4 W5 gpu",
            "",
            "The largest workloads need about 2 GiB off the heap; BROADLOOM_JAVA_OPTS=-XX:MaxDirectMemorySize=8g helps"
                    + " where that is missing."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class BenchCommand extends Tool {
    @Parameters(paramLabel = "W1 …", arity = "0..*", description = "Which workloads (default: all).")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Explain the workloads and end.")
    private boolean list;

    @Mixin
    private DeviceOption device;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--only",
            paramLabel = "WHO",
            split = ",",
            description =
                    "Only these: broadloom-local, broadloom-spark, numpy, numpy+out, numexpr, torch, torch.compile,"
                            + " jax.jit, dask, djl, nd4j; of tables broadloom-sql, broadloom-frame, spark-sql,"
                            + " spark-rdd, spark-copy; on a GPU broadloom-cuda, torch, torch.compile.")
    private List<String> only = List.of();

    @Option(
            names = "--memory",
            description = "Measure what broadloom-local takes of memory at its peak, too, each workload in a new JVM.")
    private boolean memory;

    @Mixin
    private ReportFiles files;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = console().out();
        if (list) {
            options.known(Device.CPU).forEach(w -> out.printf("%-4s %s%n     %s%n", w.name(), w.title(), w.text()));
            return 0;
        }
        Device where = device();
        List<Workload> workloads = names.isEmpty() ? Workloads.all() : options.workloads(names, where);
        check(where);
        BenchRun.Result result = options.run(where, workloads, contenders(where), this)
                .measure(all -> files.write(new Report(all, Map.of())));
        List<Measurement> measurements = result.measurements();
        new Report(measurements, memory ? peaks(workloads, measurements) : Map.of()).print(out);
        result.absent().forEach(out::println);
        return measurements.isEmpty() ? 1 : 0;
    }

    private Map<String, MeasuredPeak> peaks(List<Workload> workloads, List<Measurement> measurements)
            throws IOException {
        Map<String, MeasuredPeak> peaks = new LinkedHashMap<>();
        for (Workload workload : workloads) {
            MeasuredPeak.of(workload, options.threads()).ifPresent(peak -> peaks.put(workload.name(), peak));
            files.write(new Report(measurements, peaks));
        }
        return peaks;
    }

    private Device device() {
        Device named = device.available();
        if (named.equals(Device.AUTO)) {
            throw new UserError("Cannot measure auto, which is now this device and now that; name cpu or cuda");
        }
        return named;
    }

    private void check(Device where) {
        options.check();
        List<String> known = BenchRun.known(where);
        for (String who : only) {
            if (!known.contains(who)) {
                throw new UserError(
                        "Cannot measure " + who + " on " + where + "; there are " + String.join(", ", known));
            }
        }
        if (memory && !where.isCpu()) {
            throw new UserError("Cannot measure the peak memory of " + where + "; leave --memory out, or --device");
        }
        files.check();
    }

    private List<String> contenders(Device where) {
        return only.isEmpty()
                ? options.contenders(where)
                : BenchRun.known(where).stream().filter(only::contains).toList();
    }
}
