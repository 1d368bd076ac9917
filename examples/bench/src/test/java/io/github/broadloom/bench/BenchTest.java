package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTest {
    @TempDir
    Path folder;

    @Test
    void leavesATableJsonAndAChart() throws IOException {
        Path json = folder.resolve("made/bench.json");
        Path png = folder.resolve("bench.png");
        Path markdown = folder.resolve("bench.md");
        Cli run = BenchCli.run(
                        "w8",
                        "--only",
                        "broadloom-local",
                        "--json",
                        json.toString(),
                        "--png",
                        png.toString(),
                        "--markdown",
                        markdown.toString(),
                        "--repeat",
                        "2")
                .succeeds();
        assertThat(run.out().lines().toList()).hasSize(2);
        assertThat(run.out()).contains("W8", "broadloom-local", "1.00 x");
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertThat(root.get("machine").asText()).contains("processors");
        assertThat(root.get("date").asText()).matches("\\d{4}-\\d\\d-\\d\\d");
        JsonNode result = root.get("results").get(0);
        assertThat(result.get("who").asText()).isEqualTo("broadloom-local");
        assertThat(result.get("min_s").asDouble()).isPositive();
        assertThat(result.get("median_s").asDouble())
                .isGreaterThanOrEqualTo(result.get("min_s").asDouble());
        assertThat(result.get("limit_s").asDouble()).isPositive();
        assertThat(result.has("peak_bytes")).isFalse();
        assertThat(ImageIO.read(png.toFile()).getWidth()).isPositive();
        assertThat(Files.readString(markdown))
                .startsWith("Medians in milliseconds, 2 calls each. ")
                .contains("|  | W8 |\n|---|---:|\n| a copy of the bytes | ")
                .containsPattern("\\n\\| broadloom-local \\| [0-9.]+ \\|\n$");
    }

    /** They are 1.6 GB. */
    @Tag("full")
    @Test
    @EnabledOnOs(OS.LINUX)
    void theProductsOfW5AreNeverStored() throws IOException {
        Path json = folder.resolve("memory.json");
        Cli run = BenchCli.run("W5", "--only", "broadloom-local", "--memory", "--json", json.toString())
                .succeeds();
        assertThat(run.out()).contains("peak memory: W5 broadloom-local: ");
        JsonNode result =
                new ObjectMapper().readTree(json.toFile()).get("results").get(0);
        long needed = result.get("operands_and_result_bytes").asLong();
        assertThat(needed).isEqualTo(3 * 20_000 * 4);
        assertThat(result.get("peak_bytes").asLong()).isBetween(needed, needed + (256 << 20));
    }

    /** Its chunks are compared where they are. */
    @Test
    void theDistributedResultIsCompared() {
        String table =
                BenchCli.run("W8", "--only", "broadloom-spark").succeeds().out();
        assertThat(table).contains("broadloom-spark").doesNotContain("not measured");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(Cli.run("bench", "W99").sentence()).contains("Cannot find workload W99; there are W1, W2");
        assertThat(Cli.run("bench", "W8", "--only", "matlab").sentence()).contains("Cannot measure matlab");
        assertThat(Cli.run("bench", "W8", "--warm-up-seconds", "-1").sentence())
                .contains("--warm-up-seconds 0 to 3600");
        assertThat(Cli.run("bench", "W8", "--repeat", "0").sentence()).contains("--repeat takes at least 1");
        assertThat(Cli.run("bench", "W8", "--threads", "0").sentence()).contains("Cannot use 0 threads");
        assertThat(Cli.run("bench", "G1", "--elements", "0").sentence()).contains("tensors of 0 elements");
        assertThat(Cli.run("bench", "W8", "--device", "auto").sentence()).contains("name cpu or cuda");
    }

    @Test
    void refusesFilesThatCannotBeWrittenBeforeItMeasures() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.txt"), "text");
        Cli below = Cli.run("bench", "W8", "--png", plain.resolve("bench.png").toString());
        assertThat(below.sentence()).contains(plain + " is a file, not a folder");
        Cli itself = Cli.run("bench", "W8", "--json", folder.toString());
        assertThat(itself.sentence()).contains("Cannot write " + folder + ": it is a folder; name a file");
        assertThat(below.out() + itself.out()).isEmpty();
    }

    @Test
    void withoutAGpuItSaysWhyItCannotMeasureOne() {
        assumeThat(Devices.isAvailable(Device.of("cuda"))).isFalse();
        assertThat(Cli.run("bench", "G1", "--device", "cuda").sentence())
                .startsWith("broadloom: Cannot use device: cuda; no NVIDIA ");
    }

    private static List<Workload> workloads() {
        List<Workload> all = new ArrayList<>(Workloads.all());
        all.addAll(GpuWorkloads.of(1 << 20));
        all.addAll(TableWorkloads.of(1 << 20));
        return all;
    }

    @Test
    void theWorkloadsOfTheGpuGroupAreComputedAndComparedEverywhere() {
        String table = BenchCli.run("g4", "W8", "gpu", "--elements", "2500", "--only", "broadloom-local")
                .succeeds()
                .out();
        assertThat(table.lines().skip(1).map(line -> line.split(" ")[0]).toList())
                .startsWith("G4", "W8", "G1", "G2", "G3", "G5")
                .endsWith("G16", "G17")
                .hasSize(18);
    }

    @Test
    void theTensorsOfTheGpuGroupAreAsLargeAsAsked() {
        for (long elements : new long[] {1, 1 << 20, 1L << 30}) {
            assertThat(GpuWorkloads.of(elements))
                    .hasSize(17)
                    .allSatisfy(workload -> assertThat(workload.result().shape().numel())
                            .isBetween(elements - elements / 10, Math.max(2304, elements)));
        }
    }

    /** The dtype and shape that PyTorch gives each. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    W1; float32; [512, 3, 224, 224]
                    W2; float32; [512, 3, 224, 224]
                    W3; float32; [512, 3, 224, 224]
                    W4; float32; [4000, 4000]
                    W5; float32; [20000]
                    W6; float32; [256, 512, 512, 3]
                    W7; float32; [4096, 4096]
                    W8; float32; [1024, 32, 32, 2]
                    W9; float16; [256, 3, 224, 224]
                    W10; float32; [32000000]
                    """)
    void everyWorkloadHasTheResultOfPyTorch(String name, String dtype, String shape) {
        Workload workload = Workloads.find(name).orElseThrow();
        assertThat(workload.result().dtype()).hasToString(dtype);
        assertThat(workload.result().shape()).hasToString(shape);
    }

    @Test
    void theListTellsOfEachWorkload() {
        String list = Cli.run("bench", "--list").succeeds().out();
        assertThat(workloads()).allSatisfy(workload -> assertThat(list).contains(workload.name(), workload.text()));
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Seconds.of(4, 1, 3, 2)).isEqualTo(new Seconds(1, 2.5, 4));
        assertThat(Seconds.of(5, 1, 3)).isEqualTo(new Seconds(1, 3, 3));
    }
}
