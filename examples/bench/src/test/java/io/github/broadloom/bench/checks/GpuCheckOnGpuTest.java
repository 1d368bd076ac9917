package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gpu-check} where there is a GPU, with a little of everything. */
@WithFakeGpu
class GpuCheckOnGpuTest {
    @TempDir
    static Path folder;

    private static Path vectors;

    @BeforeAll
    static void compileAllAtOnce() throws IOException {
        vectors =
                Files.writeString(folder.resolve("own.jsonl"), vector("add", "[4.0,6.0]") + vector("mul", "[3.0,8.0]"));
        Rehearsal.compile(() -> check(List.of(vectors.toString())));
    }

    private static String vector(String op, String values) {
        String operand = "{'dtype':'float32','shape':[2],'stride':[1],'offset':0,'storage':[%s]}";
        return ("{'kind':'binary','op':'" + op + "','a':" + operand.formatted("1.0,2.0") + ",'b':"
                        + operand.formatted("3.0,4.0") + ",'ulp':0,'expect':{'dtype':'float32','shape':[2],'values':"
                        + values + "}}\n")
                .replace('\'', '"');
    }

    private static Path report() {
        return folder.resolve("report.md");
    }

    private static Cli check(List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("gpu-check"));
        if (!more.contains("--only")) {
            arguments.addAll(List.of("--only", "vectors,properties,bench"));
        }
        arguments.addAll(List.of("--seed", "6", "--count", "12", "--workloads", "G1,G17", "--elements", "2500"));
        arguments.addAll(List.of("--repeat", "1", "--warm-up", "0", "--warm-up-seconds", "0"));
        arguments.addAll(List.of("--markdown", report().toString()));
        arguments.addAll(more);
        return Cli.run(arguments.toArray(String[]::new));
    }

    @Test
    void everythingRunsAndIsReported() throws IOException {
        Cli run = check(List.of(vectors.toString())).succeeds();
        assertThat(run.out())
                .contains("2 passed, 0 failed, 0 skipped")
                .contains("12 expressions from seed 6: 12 as on the CPU, 0 otherwise")
                .contains("broadloom-cuda");
        assertThat(Files.readString(report()))
                .containsPattern("MiB, 0000:01:00.0, GPU-[-0-9a-f]{36}\\), driver for CUDA ")
                .containsPattern("\\d{4}-\\d\\d-\\d\\d\n")
                .contains("## Conformance vectors on cuda\n\n2 passed, 0 failed, 0 skipped\n")
                .contains("| own.jsonl | 2 | 0 | 0 |")
                .contains("## Random expressions on cuda\n\n12 expressions from seed 6")
                .contains("## Benchmark on cuda\n\nMedians of 1 calls. ")
                .containsPattern("\\| G1 \\| float32, contiguous \\|( [0-9.]+ \\|){4} [0-9.]+ % \\|\n")
                .containsPattern("\\| G17 \\| .*\\|( [0-9.]+ \\|){4} [0-9.]+ % \\|\n");
    }

    @Test
    void onlyWhatIsAskedForRuns() throws IOException {
        Cli run = check(List.of("--only", "properties")).succeeds();
        assertThat(run.out()).contains("12 as on the CPU").doesNotContain("Conformance", "Benchmark");
        assertThat(check(List.of("--only", "vectors")).succeeds().out()).contains("none here; name files of vectors");
    }

    @Test
    void nearestRowsAreComparedAndMeasured() throws IOException {
        Cli run = check(List.of("--only", "nearest", "--peers", "--python", "no-such-python"))
                .succeeds();
        assertThat(run.out()).contains("As on the CPU, to the bit", "broadloom cuda: ", "torch: ");
        assertThat(Files.readString(report()))
                .contains("## Nearest rows on cuda\n\nAs on the CPU, to the bit\n")
                .contains("nearest of [19, 128] to each row of [4, 128]")
                .containsPattern("\\| broadloom cuda \\|( [0-9.]+ \\|){2}\n");
    }

    @Test
    void aVectorThatFailsIsShownAndTheOthersStillRun() throws IOException {
        Path wrong = Files.writeString(
                folder.resolve("wrong.jsonl"), vector("add", "[4.0,7.0]") + vector("mul", "[3.0,8.0]"));
        Cli run = check(List.of(wrong.toString()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("element [1]: 6").contains("failed: 1 passed, 1 failed, 0 skipped");
        assertThat(Files.readString(report()))
                .contains("**Failed.** 1 passed, 1 failed, 0 skipped\n")
                .contains("element [1]: 6")
                .contains("12 as on the CPU, 0 otherwise\n")
                .contains("| G17 |");
    }

    @Test
    void aFileThatIsNoneOfVectorsStopsItsPartAlone() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.jsonl"), "not json\n");
        Cli run = check(List.of(broken.toString()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(Files.readString(report()))
                .contains("**Failed.** Cannot read a vector at " + broken + ":1: ")
                .contains("12 as on the CPU, 0 otherwise\n")
                .contains("| G17 |");
    }

    @Test
    void aPartThatTheDriverFailsLeavesTheOthers() throws IOException {
        FakeDriver.load()
                .failCalls("cuMemHostAlloc", 1, 1000, FakeDriver.OPERATING_SYSTEM); // pinned memory, for G17's copy
        Cli run = check(List.of(vectors.toString()));
        FakeDriver.load().failNothing();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(Files.readString(report()))
                .contains("\n2 passed, 0 failed, 0 skipped\n")
                .contains("## Benchmark on cuda\n\n**Failed.** ")
                .contains("cuMemHostAlloc: CUDA_ERROR_OPERATING_SYSTEM")
                .containsPattern("\\| G1 \\| .*\\|( [0-9.]+ \\|){4} [0-9.]+ % \\|\n") // measured before
                .contains("| G17 | tensors of this process, there and back | – |");
    }

    /** The values are right, and yet nothing is known of the kernels. */
    @Test
    void whatTheCpuComputedForWantOfKernelsHasFailed() throws IOException {
        FakeDriver.load().failCalls("cuLaunchKernel", 1, 1_000_000, 701);
        Cli run = check(List.of("--only", "vectors", vectors.toString()));
        FakeDriver.load().failNothing();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("failed: 2 passed, 0 failed, 0 skipped; the CPU computed 2 for want of kernels");
        assertThat(Files.readString(report()))
                .contains("**Failed.** 2 passed")
                .contains("cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701, ");
    }

    @Test
    void aWorkloadThatTheDriverFailsIsNamed() {
        FakeDriver.load().failCalls("cuLaunchKernel", 1, 1_000_000, FakeDriver.OPERATING_SYSTEM);
        Cli run = check(List.of(vectors.toString()));
        FakeDriver.load().failNothing();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("failed: 0 passed, 2 failed, 0 skipped")
                .contains("again: --only properties --seed 6 --count 1")
                .contains("not measured: G1 of broadloom-cuda: ");
    }
}
