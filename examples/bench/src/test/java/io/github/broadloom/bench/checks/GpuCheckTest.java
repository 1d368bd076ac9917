package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.bench.WorkloadKernels;
import io.github.broadloom.bench.Workloads;
import io.github.broadloom.bench.checks.GpuReport.Section;
import io.github.broadloom.cuda.driver.CudaPart;
import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
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
    @Tag("full") // compiles for some seconds
    void kernelsCompiledAheadAreEntriesOfAJar() throws IOException {
        assumeThat(CudaPart.all()).anyMatch(part -> part.name().equals("NVRTC") && part.present());
        Path jar = folder.resolve("cubins.jar");
        Cli run = Cli.run(
                "gpu-check",
                "--only",
                "kernels",
                "--workloads",
                "W1,G5",
                "--architecture",
                "sm_80,sm_90",
                "--cubins",
                jar.toString(),
                "--markdown",
                folder.resolve("report.md").toString());
        assertThat(run.succeeds().out()).contains("wrote " + jar + ": 4 compiled kernels");
        try (JarFile entries = new JarFile(jar.toFile())) {
            assertThat(entries.stream().map(JarEntry::getName))
                    .anyMatch(name -> name.startsWith("META-INF/broadloom/cubins/"));
        }
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
    void theReportIsOneTableForEachThingThatRan() {
        GpuReport report = new GpuReport(
                "Broadloom",
                List.of(new CudaPart("GPU", false, "none | here")),
                List.of(
                        new Section("Kernels", true, "one", GpuReport.row("W1", 1)),
                        new Section("Vectors", false, "it broke", "")));
        assertThat(report.isSound()).isFalse();
        assertThat(report.markdown()).isEqualTo("""
            # GPU check

            Broadloom

            | part | usable | what was found |
            |---|---|---|
            | GPU | no | none \\| here |

            ## Kernels

            one

            | W1 | 1 |

            ## Vectors

            **Failed.** it broke
            """);
    }

    @Test
    void theDriversVersionIsThatOfItsKernelModule() {
        assertThat(NvidiaModule.version(
                        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\nGCC 12.2"))
                .contains("550.54.15");
        assertThat(NvidiaModule.version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release"))
                .contains("570.86.15");
        assertThat(NvidiaModule.version("")).isEmpty();
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(Cli.run("gpu-check", "--only", "weather").sentence()).contains("weather");
        assertThat(Cli.run("gpu-check", "--workloads", "W1,W99").sentence()).contains("Cannot find workload W99");
        assertThat(Cli.run("gpu-check", "--count", "0").sentence()).contains("Cannot try 0 expressions");
        assertThat(Cli.run("gpu-check", "--repeat", "0").sentence()).contains("--repeat takes at least 1");
    }

    @Test
    void aReportThatCannotBeWrittenIsAUserError() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(Cli.run("gpu-check", "--markdown", file.resolve("report.md").toString())
                        .sentence())
                .contains("Cannot write " + file + "/report.md: " + file + " is a file, not a folder");
    }
}
