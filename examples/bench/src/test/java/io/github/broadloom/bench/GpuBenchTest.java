package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of a GPU, on the stand-in: what it says of times is worth nothing, but everything else is as it would be. */
@WithFakeGpu
class GpuBenchTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void compileAllAtOnce() {
        Rehearsal.compile(() -> bench("gpu"));
    }

    private static Cli bench(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--device", "cuda", "--elements", "2500"));
        arguments.addAll(List.of(more));
        return BenchCli.run(arguments.toArray(String[]::new));
    }

    /** Those of a copy on the device and those over the bus; who computes something else than the CPU would be named. */
    @Test
    void everyWorkloadIsComputedThereAndComparedWithTheCpu() throws IOException {
        Path json = folder.resolve("bench.json");
        Cli run = bench("gpu", "--json", json.toString()).succeeds();
        assertThat(run.out()).doesNotContain("not measured").contains("broadloom-cuda");
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertThat(root.get("machine").asText())
                .contains("MiB, 0000:01:00.0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f0), driver for CUDA ");
        assertThat(root.get("results").findValuesAsText("workload"))
                .isEqualTo(IntStream.rangeClosed(1, 17).mapToObj(i -> "G" + i).toList());
        assertThat(root.get("results")).allSatisfy(result -> {
            assertThat(result.get("who").asText()).isEqualTo("broadloom-cuda");
            assertThat(result.get("limit_s").asDouble()).isPositive();
        });
    }

    @Test
    void peersAreToldWhereTheTensorsAre() throws IOException {
        Path jobs = folder.resolve("jobs");
        Path python = Files.writeString(
                folder.resolve("python"), "#!/bin/sh\ncat >> " + jobs + "\necho >> " + jobs + "\nexit 1\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        bench("G1", "G17", "--peers", "--python", python.toString()).succeeds();
        List<JsonNode> told = new ArrayList<>();
        for (String line : Files.readAllLines(jobs)) {
            told.add(new ObjectMapper().readTree(line));
        }
        assertThat(told)
                .extracting(job -> job.get("who").asText())
                .containsExactly("torch", "torch.compile", "torch", "torch.compile");
        assertThat(told).extracting(job -> job.get("device").asText()).containsOnly("cuda");
        assertThat(told).extracting(job -> job.get("place").asText()).containsExactly("there", "there", "here", "here");
    }

    @Test
    void whatAGpuDoesNotHaveIsRefused() {
        assertThat(bench("G1", "--only", "numpy").sentence())
                .contains("Cannot measure numpy on cuda; there are broadloom-cuda, torch, torch.compile");
        assertThat(bench("S1").sentence()).contains("Cannot find workload S1; there are W1, W2");
        assertThat(bench("G1", "--memory").sentence()).contains("Cannot measure the peak memory of cuda");
    }
}
