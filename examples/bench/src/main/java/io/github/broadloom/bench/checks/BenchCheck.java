package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.BenchOptions;
import io.github.broadloom.bench.BenchRun;
import io.github.broadloom.bench.DeviceTable;
import io.github.broadloom.bench.Machine;
import io.github.broadloom.bench.Measurement;
import io.github.broadloom.bench.Report;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures the workloads of these names on the device. */
record BenchCheck(Device device, List<String> names, BenchOptions options, Tool tool) implements GpuCheck {
    @Override
    public String heading() {
        return "Benchmark on " + device;
    }

    /** What was measured before something stops it is in the report, too. */
    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        BenchRun run = options.run(device, options.workloads(names, device), options.contenders(device), tool);
        List<Measurement> measured = new ArrayList<>();
        try {
            BenchRun.Result result = run.measure(all -> {
                measured.addAll(all.subList(measured.size(), all.size()));
                soFar.found(section(run, measured, true, summary(run), List.of()));
            });
            new Report(measured, Map.of()).print(console.out());
            result.absent().forEach(line -> console.say("%s", line));
            return section(run, measured, isWhole(run, measured), summary(run), result.absent());
        } catch (RuntimeException e) {
            return section(run, measured, false, Complaint.about(e).sentence(), List.of());
        }
    }

    private static String summary(BenchRun run) {
        return "Medians of " + run.rounds().measured() + " calls. " + Machine.describe();
    }

    /** Whether Broadloom computed every workload. */
    private static boolean isWhole(BenchRun run, List<Measurement> measured) {
        return run.workloads().stream()
                .allMatch(workload ->
                        measured.stream().anyMatch(row -> row.workload().equals(workload.name()) && row.isOwn()));
    }

    private GpuReport.Section section(
            BenchRun run, List<Measurement> measured, boolean sound, String summary, List<String> absent) {
        String table = new DeviceTable(run.workloads(), measured).markdown();
        return new GpuReport.Section(
                heading(), sound, summary, table + (absent.isEmpty() ? "" : "\n" + GpuReport.verbatim(absent)));
    }
}
