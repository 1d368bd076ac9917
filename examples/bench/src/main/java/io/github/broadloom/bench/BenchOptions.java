package io.github.broadloom.bench;

import io.github.broadloom.device.Threads;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the benchmark measures, and beside whom. */
public final class BenchOptions {
    private static final int MOST_WARM_UP_SECONDS = 3600;
    private static final String GPU_GROUP = "gpu";
    private static final String TABLE_GROUP = "sql";

    @Option(names = "--peers", description = "Measure other libraries, too; absent ones are named.")
    private boolean peers;

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
                    "How many elements the tensors of G1 to G17 have, about (default: as many as fit, up to 2^30), and a column of S1 to S9 (default: 200,000 arrays of 128).")
    private @Nullable Long elements;

    /** @throws UserError for numbers that make no sense */
    public void check() {
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
    }

    int threads() {
        return threads == null ? Threads.local() : threads;
    }

    /** How many elements tensors have, about. */
    public long elements(long usual) {
        return elements == null ? usual : elements;
    }

    /** The Python that has other libraries; empty where none shall be measured. */
    public Optional<String> peers() {
        return peers ? Optional.of(python) : Optional.empty();
    }

    public Rounds rounds() {
        return new Rounds(warmUp, warmUpSeconds, repeat);
    }

    /** Broadloom's own ways to compute on a device, and with {@code --peers} all others that know it. */
    public List<String> contenders(Device device) {
        return peers ? BenchRun.known(device) : BenchRun.own(device);
    }

    /** The workloads of these names, each once; a {@link UserError} for a name that none has. */
    public List<Workload> workloads(List<String> names, Device device) {
        Map<String, List<Workload>> groups = groups(device);
        List<Workload> known = known(device);
        Set<Workload> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<Workload> group = groups.get(name.toLowerCase(Locale.ROOT));
            if (group != null) {
                chosen.addAll(group);
            } else {
                chosen.add(Workloads.find(name, known)
                        .orElseThrow(() -> new UserError("Cannot find workload " + name + "; there are "
                                + known.stream().map(Workload::name).collect(Collectors.joining(", ")) + ", and "
                                + String.join(", ", groups.keySet()) + " for all of a kind")));
            }
        }
        return List.copyOf(chosen);
    }

    /** Workloads that have a name in common; those of tables are for the CPU. */
    private Map<String, List<Workload>> groups(Device device) {
        Map<String, List<Workload>> groups = new LinkedHashMap<>();
        groups.put(GPU_GROUP, GpuWorkloads.of(elements == null ? GpuWorkloads.elements(device) : elements));
        if (device.isCpu()) {
            groups.put(TABLE_GROUP, TableWorkloads.of(elements == null ? TableWorkloads.elements() : elements));
        }
        return groups;
    }

    /** All workloads that there are for a device. */
    List<Workload> known(Device device) {
        List<Workload> known = new ArrayList<>(Workloads.all());
        groups(device).values().forEach(known::addAll);
        return known;
    }

    public BenchRun run(Device device, List<Workload> workloads, List<String> contenders, Tool tool) {
        return new BenchRun(device, workloads, contenders, python, threads(), rounds(), tool);
    }
}
