package io.github.broadloom.bench.checks;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.testkit.conformance.Conformance;
import io.github.broadloom.testkit.conformance.LocalEngine;
import io.github.broadloom.testkit.conformance.Tally;
import io.github.broadloom.testkit.conformance.Verdict;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs files of conformance vectors, with tensors on the device. */
record VectorCheck(Device device, List<Path> files) implements GpuCheck {
    private static final int FAILURES_SHOWN = 20;

    @Override
    public String heading() {
        return "Conformance vectors on " + device;
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        if (files.isEmpty()) {
            return new GpuReport.Section(heading(), true, "none here; name files of vectors", "");
        }
        Conformance conformance = new Conformance(new LocalEngine(device));
        StringBuilder table = new StringBuilder("| file | passed | failed | skipped |\n|---|---:|---:|---:|\n");
        List<String> shown = new ArrayList<>();
        Tally all = new Tally();
        try (Progress progress = Progress.of("vectors", files.size())) {
            for (Path file : files) {
                progress.says(String.valueOf(file.getFileName()));
                Tally tally = new Tally();
                conformance.run(file, verdict -> {
                    tally.accept(verdict);
                    all.accept(verdict);
                    if (verdict.outcome() == Verdict.Outcome.FAILED && shown.size() < FAILURES_SHOWN) {
                        shown.add(verdict.toString());
                        console.say("%s", verdict);
                    }
                });
                table.append(GpuReport.row(file.getFileName(), tally.passed(), tally.failed(), tally.skipped()));
                progress.step();
                soFar.found(section(all, table, shown));
            }
        }
        return section(all, table, shown);
    }

    private GpuReport.Section section(Tally all, StringBuilder table, List<String> shown) {
        String details = table + (shown.isEmpty() ? "" : "\n" + GpuReport.verbatim(shown));
        return new GpuReport.Section(heading(), all.failed() == 0, all.toString(), details);
    }
}
