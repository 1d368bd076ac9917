package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.tools.ChildJvm;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code examples/gpu-bundle} makes, unpacked where there is no Java, with the stand-in for a GPU's driver. */
@Tag("full") // some twenty seconds, most of them for the archive
class GpuBundleTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final Path NOTHING = Path.of("/dev/null");
    private static final int MOST_BYTES = 60_000_000;

    /** What the script needs of a machine, and what the stand-in's compiler does. */
    private static final List<String> PROGRAMS = List.of("sh", "dirname", "g++", "as", "ld");

    @TempDir
    static Path folder;

    private static Path archive;

    @BeforeAll
    static void pack() throws IOException, InterruptedException {
        assumeThat(FakeDriver.missing()).as("a compiler for the host").isEmpty();
        assumeThat(JAVA_HOME.resolve("bin/jlink")).exists();
        archive = folder.resolve("bundle.tgz");
        Cli made = bundle("--no-build", "--ahead", "none", archive.toString());
        assertThat(made.exitCode()).as(made.err()).isZero();
        assertThat(made.out()).startsWith("wrote " + archive + ": ").contains("gpu-bundle/run --help");
        Cli unpacked = run(new ProcessBuilder("tar", "xzf", archive.toString(), "-C", folder.toString()));
        assertThat(unpacked.exitCode()).as(unpacked.err()).isZero();
    }

    private static Cli bundle(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder("../gpu-bundle");
        script.command().addAll(List.of(arguments));
        script.environment().putAll(Map.of("JAVA_HOME", JAVA_HOME.toString(), "GPU_BUNDLE_GZIP", "1"));
        return run(script);
    }

    private static Cli run(ProcessBuilder program) throws IOException, InterruptedException {
        return ChildJvm.run(program, folder, NOTHING);
    }

    /** The compiler that makes kernels for the stand-in, as a jar beside the bundle's. */
    private static void addStandIn() throws IOException {
        List<String> entries = List.of(
                "META-INF/services/io.github.broadloom.cuda.compiler.CudaCompiler",
                "cuda/cuda-host.h",
                "io/github/broadloom/cuda/HostCompiler.class",
                "io/github/broadloom/cuda/HostBuild.class");
        Path jar = folder.resolve("gpu-bundle/lib/stand-in.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                try (InputStream in = HostCompiler.class.getResourceAsStream("/" + entry)) {
                    assertThat(in).as(entry).isNotNull();
                    in.transferTo(out);
                }
            }
        }
    }

    @Test
    void isSmallAndHasNothingOfSpark() throws IOException {
        assertThat(archive).isRegularFile();
        assertThat(Files.size(archive)).isLessThan(MOST_BYTES);
        try (Stream<Path> jars = Files.list(folder.resolve("gpu-bundle/lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .contains("picocli-4.7.7.jar", "broadloom-cuda.jar")
                    .noneMatch(name -> name.matches("(spark|scala|hadoop)-.*"));
        }
    }

    @Test
    void stepZeroRunsOnAMachineThatHasADriverAndNoJava() throws IOException, InterruptedException {
        addStandIn();
        Path programs = Files.createDirectory(folder.resolve("programs"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
        }
        FakeDriver driver = FakeDriver.place();
        driver.reset();
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        ProcessBuilder script = new ProcessBuilder(
                folder.resolve("gpu-bundle/run").toString(), "0", "--rehearsal", "--python", "no-python");
        script.directory(elsewhere.toFile());
        script.environment().clear();
        script.environment()
                .putAll(Map.of(
                        "PATH", programs.toString(),
                        "HOME", elsewhere.toString(),
                        "OUT", "reports",
                        "LD_LIBRARY_PATH", driver.folder().toString(),
                        "BROADLOOM_JAVA_OPTS",
                                "-XX:+UseSerialGC -Dbroadloom.nvrtc.path="
                                        + elsewhere // kernels are the compiler's for the stand-in: NVRTC would compile
                                        // them once more
                                        + " -Dbroadloom.fake.cuda="
                                        + driver.folder().getParent()));
        Cli run = run(script);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("nvidia-smi       left out: nvidia-smi is not on this machine");
        assertThat(driver.violations()).as(driver.message()).isZero();
        try (Stream<Path> reports = Files.list(elsewhere.resolve("reports"))) {
            Path page = reports.filter(file -> file.toString().endsWith("-gpu-0-runs-rehearsal.md"))
                    .findFirst()
                    .orElseThrow();
            assertThat(page)
                    .content()
                    .contains("| GPU | yes | ")
                    .contains("2 expressions from seed 0: 2 as on the CPU, 0 otherwise")
                    .containsPattern("\\| G1 \\| float32, contiguous \\|( [0-9.]+ \\|){4} [0-9.]+ % \\|\n")
                    .doesNotContain("failed", "not yet");
        }
    }

    @Test
    void saysWhatItCannotDo() throws IOException, InterruptedException {
        assertThat(bundle("--shiny").err()).contains("Unknown option: '--shiny'");
        assertThat(bundle("--no-build", "/nowhere/x.tgz").err())
                .contains("Cannot write /nowhere/x.tgz: there is no folder");
    }
}
