package io.github.broadloom.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.cuda.CudaPart;
import io.github.broadloom.examples.GpuReport.Compiled;
import io.github.broadloom.examples.bench.WorkloadKernels;
import io.github.broadloom.examples.bench.Workloads;
import io.github.broadloom.tensor.Device;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuCheckTest {
    @TempDir
    Path folder;

    @Test
    void withoutAGpuItSaysWhyAndAllIsWell() {
        assumeThat(Devices.isAvailable(Device.of("cuda"))).isFalse();
        Path report = folder.resolve("report.md");
        Cli run = Cli.run("gpu-check", "--markdown", report.toString()).succeeds();
        assertThat(run.out()).containsPattern("(?m)^GPU +no NVIDIA ").containsPattern("(?m)^JCuda +12\\.6\\.0$");
        assertThat(run.out()).contains("wrote " + report);
        assertThat(report).content().contains("| GPU | no | no NVIDIA ", "| JCuda | yes | 12.6.0 |");
    }

    @Test
    void everyWorkloadHasKernels() {
        assertThat(Workloads.all())
                .allSatisfy(workload -> assertThat(WorkloadKernels.of(workload)).isNotEmpty());
    }

    @Test
    void whatIsOnePassIsOneKernel() {
        for (String name : List.of("W1", "W2", "W6", "W7", "W8", "W9", "W10")) {
            assertThat(WorkloadKernels.of(Workloads.find(name).orElseThrow()))
                    .as(name)
                    .hasSize(1);
        }
    }

    @Test
    void theReportIsOneTableForEachThingThatRan() throws IOException {
        GpuReport report = new GpuReport(
                "Broadloom",
                List.of(new CudaPart("GPU", false, "none | here")),
                "sm_90",
                List.of(new Compiled("W1", "normalise", 1, 12.6, 2048)),
                Map.of());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report.write(out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("""
            # GPU check

            Broadloom

            | part | usable | what was found |
            |---|---|---|
            | GPU | no | none \\| here |

            ## Kernels of the benchmark, compiled for sm_90

            | workload | | kernels | compiled in ms | machine code |
            |---|---|---:|---:|---:|
            | W1 | normalise | 1 | 13 | 2.0 kB |
            """);
    }

    @Test
    void aReportThatCannotBeWrittenIsAUserError() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(Cli.run("gpu-check", "--markdown", file.resolve("report.md").toString())
                        .sentence())
                .contains("Cannot write " + file + "/report.md: " + file + " is a file, not a folder");
    }
}
