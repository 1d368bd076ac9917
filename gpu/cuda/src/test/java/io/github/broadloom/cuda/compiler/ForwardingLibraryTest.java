package io.github.broadloom.cuda.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of its own is linked to the first version of a library and runs on the second. */
class ForwardingLibraryTest {
    private static final List<String> FUNCTIONS = List.of("sum", "name");

    @TempDir
    Path folder;

    @BeforeAll
    static void aCompilerIsHere() {
        assumeTrue(exists("g++"), "no g++ on the path");
    }

    private static boolean exists(String program) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).describedAs(output).isZero();
        return output;
    }

    /** Builds a library whose functions have its own name as their version, as NVIDIA's have. */
    private void build(String name, String source) throws Exception {
        Files.writeString(folder.resolve("versions"), name + " { global: *; };");
        Files.writeString(folder.resolve("library.cpp"), source);
        run(
                "g++",
                "-shared",
                "-fPIC",
                "-Wl,-soname," + name,
                "-Wl,--version-script=versions",
                "-o",
                name,
                "library.cpp");
    }

    private static String library(String name, String extra) {
        return """
                extern "C" double sum(long a, double b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
                extern "C" const char* name() { return "%s"; }
                %s
                """.formatted(name, extra);
    }

    private void buildProgram() throws Exception {
        Files.writeString(folder.resolve("program.cpp"), """
                #include <cstdio>
                extern "C" double sum(long, double, int, int, int, int, int, int);
                extern "C" const char* name();
                int main() { std::printf("%s %.2f", name(), sum(1, 0.25, 2, 3, 4, 5, 6, 7)); }
                """);
        run("g++", "-o", "program", "program.cpp", "-Wl,--allow-shlib-undefined", "-L.", "-l:libold.so.1");
    }

    @Test
    void aProgramForOneVersionRunsOnAnother() throws Exception {
        build("libold.so.1", library("old", ""));
        build("libnew.so.2", library("new", "extern \"C\" int later() { return 2; }"));
        buildProgram();
        assertThat(run("./program")).isEqualTo("old 28.25");
        Files.write(folder.resolve("libold.so.1"), ForwardingLibrary.image("libold.so.1", "libnew.so.2", FUNCTIONS));
        assertThat(run("./program")).isEqualTo("new 28.25");
    }

    @Test
    void itIsSmallAndNeverTheSameForOtherNames() {
        byte[] image = ForwardingLibrary.image("libold.so.1", "libnew.so.2", FUNCTIONS);
        assertThat(image).hasSize(8192).isNotEqualTo(ForwardingLibrary.image("libold.so.1", "libnew.so.3", FUNCTIONS));
        assertThat(image).isEqualTo(ForwardingLibrary.image("libold.so.1", "libnew.so.2", new ArrayList<>(FUNCTIONS)));
    }

    @Test
    void moreFunctionsThanAPageHoldsAreRefused() {
        List<String> many = IntStream.range(0, 40).mapToObj(i -> "function" + i).toList();
        assertThatThrownBy(() -> ForwardingLibrary.image("a", "b", many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot forward 40 functions: a page is full");
    }
}
