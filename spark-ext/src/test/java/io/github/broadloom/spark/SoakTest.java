package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakTest {
    private static final Pattern FIGURE = Pattern.compile("(\\w+)=(\\d+)");

    @TempDir
    Path folder;

    @Tag("full")
    @Test
    void twoThousandExpressionsInAHeapOfAGigabyteHoldWhatTwoHundredHeld() throws Exception {
        Map<Integer, Map<String, Long>> figures = soak(200, 2000);
        Map<String, Long> early = figures.get(200);
        Map<String, Long> late = figures.get(2000);
        for (String memory : List.of("heapBytes", "classBytes")) {
            assertThat(late.get(memory)).as(memory).isLessThanOrEqualTo(early.get(memory) * 105 / 100);
        }
        for (String nothing : List.of("offHeapBytes", "persistentRdds", "blocks", "shuffles")) {
            assertThat(late.get(nothing)).as(nothing).isZero();
        }
        assertThat(late.get("kernels")).isEqualTo(early.get("kernels")).isEqualTo(Soak.KERNELS);
        assertThat(late.get("listeners")).isEqualTo(early.get("listeners"));
    }

    /** The figures after each of these numbers of expressions. */
    private Map<Integer, Map<String, Long>> soak(int... counts) throws Exception {
        Process process = new ProcessBuilder(command(counts))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<Integer, Map<String, Long>> figures = new TreeMap<>();
        try (var lines = process.inputReader()) {
            lines.lines().forEach(line -> {
                Matcher found = FIGURE.matcher(line);
                Map<String, Long> of = new TreeMap<>();
                while (found.find()) {
                    of.put(found.group(1), Long.parseLong(found.group(2)));
                }
                figures.put(Integer.parseInt(line.substring(0, line.indexOf(' '))), of);
            });
        }
        assertThat(process.waitFor()).isZero();
        return figures;
    }

    private List<String> command(int... counts) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith("-D") || option.startsWith("--") || option.startsWith("-XX:")) {
                command.add(option);
            }
        }
        command.add("-Xmx1g");
        command.add("-XX:TieredStopAtLevel=1"); // half the time: the second compiler would be most of it
        command.add("-Dbroadloom.kernel.cache=" + Soak.KERNELS);
        command.add("-cp");
        command.add(ExecutorClasses.CLASS_PATH);
        command.add(Soak.class.getName());
        command.add(folder.toString());
        for (int count : counts) {
            command.add(String.valueOf(count));
        }
        return command;
    }
}
