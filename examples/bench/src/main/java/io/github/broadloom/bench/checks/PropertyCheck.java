package io.github.broadloom.bench.checks;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.testkit.random.DeviceProperty;
import io.github.broadloom.testkit.random.Property;
import io.github.broadloom.testkit.random.RandomExprs;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Evaluates {@code count} random expressions on the device and on the CPU; the first has the seed, the next ones the next seeds. */
record PropertyCheck(Device device, long seed, int count) implements GpuCheck {
    private static final int FAILURES_SHOWN = 20;

    @Override
    public String heading() {
        return "Random expressions on " + device;
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        List<String> shown = new ArrayList<>();
        int failed = 0;
        try (Progress progress = Progress.of("properties", count)) {
            for (long at = seed; at < seed + count; at++) {
                progress.says("seed " + at);
                Optional<Property.Failure> failure =
                        Property.smallestFailure(RandomExprs.of(at), DeviceProperty.of(device, at));
                if (failure.isPresent() && ++failed <= FAILURES_SHOWN) {
                    shown.add(
                            "seed " + at + " (again: --only properties --seed " + at + " --count 1)\n" + failure.get());
                    console.say("%s", shown.get(shown.size() - 1));
                }
                progress.step();
                soFar.found(section(at - seed + 1, failed, shown));
            }
        }
        return section(count, failed, shown);
    }

    private GpuReport.Section section(long tried, int failed, List<String> shown) {
        String summary = tried + " expressions from seed " + seed + ": " + (tried - failed) + " as on the CPU, "
                + failed + " otherwise";
        return new GpuReport.Section(heading(), failed == 0, summary, GpuReport.verbatim(shown));
    }
}
