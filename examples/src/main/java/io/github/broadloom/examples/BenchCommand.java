package io.github.broadloom.examples;

import io.github.broadloom.device.Threads;
import io.github.broadloom.examples.bench.GpuWorkloads;
import io.github.broadloom.examples.bench.Measurement;
import io.github.broadloom.examples.bench.PeakMemory;
import io.github.broadloom.examples.bench.Report;
import io.github.broadloom.examples.bench.Rounds;
import io.github.broadloom.examples.bench.Workload;
import io.github.broadloom.examples.bench.Workloads;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            "With --device cuda they run on a GPU, beside PyTorch's there, and beside a copy on it: operands are there"
                    + " before, and a call ends when its result is complete.",
            "",
            "DJL's PyTorch and ND4J are measured where they were built: ./mvnw -Ppeers -pl examples/peers"
                    + " process-classes.",
            ""
        },
        footer = {
            "",
            "Workloads: W1 to W10, which are all without a name; and G1 to G17, or gpu for all of these: what the memory"
                    + " of a GPU limits. --list explains them.",
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} bench W1 W6",
            "  ${ROOT-COMMAND-NAME} bench --peers --python ~/venv/bin/python --json bench.json --png bench.png",
            "  ${ROOT-COMMAND-NAME} bench W4 W5 --only broadloom-local --memory",
            "  ${ROOT-COMMAND-NAME} bench --device cuda --peers --python ~/venv/bin/python W4 W5 gpu",
            "",
            "The largest workloads need about 2 GiB off the heap; BROADLOOM_JAVA_OPTS=-XX:MaxDirectMemorySize=8g helps"
                    + " where that is missing."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class BenchCommand implements Callable<Integer> {
    private static final int MOST_WARM_UP_SECONDS = 3600;
    private static final String GPU_GROUP = "gpu";

    @Parameters(paramLabel = "W1 …", arity = "0..*", description = "Which workloads (default: all).")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Explain the workloads and end.")
    private boolean list;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private DeviceOption device;

    @Option(names = "--peers", description = "Measure other libraries, too; absent ones are named.")
    private boolean peers;

    @Option(
            names = "--only",
            paramLabel = "WHO",
            split = ",",
            description =
                    "Only these: broadloom-local, broadloom-spark, numpy, numpy+out, numexpr, torch, torch.compile,"
                            + " jax.jit, dask, djl, nd4j; on a GPU broadloom-cuda, torch, torch.compile.")
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
            names = "--elements",
            paramLabel = "N",
            description =
                    "How many elements the tensors of G1 to G17 have, about (default: as many as fit, up to 2^30).")
    private @Nullable Long elements;

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
            listed().forEach(w -> out.printf("%-4s %s%n     %s%n", w.name(), w.title(), w.text()));
            return 0;
        }
        Device where = device();
        List<Workload> workloads = workloads(where);
        check(where);
        BenchRun run = new BenchRun(
                where,
                workloads,
                contenders(where),
                python,
                usedThreads(),
                new Rounds(warmUp, warmUpSeconds, repeat),
                debug.on());
        BenchRun.Result result = run.measure(all -> files.write(new Report(all, Map.of())));
        List<Measurement> measurements = result.measurements();
        new Report(measurements, memory ? peaks(workloads, measurements) : Map.of()).print(out);
        result.absent().forEach(out::println);
        return measurements.isEmpty() ? 1 : 0;
    }

    private static List<Workload> listed() {
        List<Workload> all = new ArrayList<>(Workloads.all());
        all.addAll(GpuWorkloads.of(GpuWorkloads.elements(Device.CPU)));
        return all;
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

    private Device device() {
        Device named = device.available();
        if (named.equals(Device.AUTO)) {
            throw new UserError("Cannot measure auto, which is now this device and now that; name cpu or cuda");
        }
        return named;
    }

    private List<Workload> workloads(Device where) {
        List<Workload> forGpus = GpuWorkloads.of(elements == null ? GpuWorkloads.elements(where) : elements);
        List<Workload> known = new ArrayList<>(Workloads.all());
        known.addAll(forGpus);
        Set<Workload> chosen = new LinkedHashSet<>();
        for (String name : names) {
            if (name.equalsIgnoreCase(GPU_GROUP)) {
                chosen.addAll(forGpus);
            } else {
                chosen.add(Workloads.find(name, known)
                        .orElseThrow(() -> new UserError("Cannot find workload " + name + "; there are "
                                + known.stream().map(Workload::name).collect(Collectors.joining(", ")) + ", and "
                                + GPU_GROUP + " for all G")));
            }
        }
        return chosen.isEmpty() ? Workloads.all() : List.copyOf(chosen);
    }

    private void check(Device where) {
        if (repeat < 1 || warmUp < 0 || !(warmUpSeconds >= 0 && warmUpSeconds <= MOST_WARM_UP_SECONDS)) {
            throw new UserError("Cannot measure " + repeat + " calls after " + warmUp + " calls and " + warmUpSeconds
                    + " seconds; --repeat takes at least 1, --warm-up at least 0 and --warm-up-seconds 0 to "
                    + MOST_WARM_UP_SECONDS);
        }
        if (threads != null && threads < 1) {
            throw new UserError("Cannot use " + threads + " threads; give at least 1");
        }
        if (elements != null && elements < 1) {
            throw new UserError("Cannot make tensors of " + elements + " elements; give at least 1");
        }
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
        if (only.isEmpty()) {
            return peers ? BenchRun.known(where) : BenchRun.own(where);
        }
        return BenchRun.known(where).stream().filter(only::contains).toList();
    }
}
