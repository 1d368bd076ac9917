package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cuda.compiler.CudaCompiler;
import io.github.broadloom.cuda.compiler.NvrtcLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM calls the version of an NVRTC before and after it loads it; the library is one of the test's, which says that it is 12.3. */
class NvrtcVersionTest {
    private static final String LIBRARY = """
        extern "C" {
        int nvrtcVersion(int* major, int* minor) { *major = 12; *minor = 3; return 0; }
        int nvrtcGetNumSupportedArchs(int* count) { *count = 1; return 0; }
        int nvrtcGetSupportedArchs(int* architectures) { *architectures = 90; return 0; }
        const char* nvrtcGetErrorString(int) { return ""; }
        }
        """;

    @TempDir
    Path folder;

    @BeforeAll
    static void aCompilerIsHere() {
        assumeTrue(HostBuild.missing().isEmpty(), "no g++ on this machine");
    }

    /** Prints the version, loads the library, and prints the version again. */
    static final class Asker {
        public static void main(String[] arguments) {
            CudaCompiler compiler = CudaCompiler.nvrtc();
            System.out.println(compiler.version().orElseThrow());
            NvrtcLibrary.load();
            System.out.println(compiler.version().orElseThrow());
        }
    }

    /** What is said of a library in a file of this name. */
    private List<String> versions(String file) throws IOException, InterruptedException {
        Path library = folder.resolve(file);
        Files.copy(HostBuild.sharedObject(LIBRARY, List.of("-Wl,-soname,libnvrtc.so.12,--default-symver")), library);
        Process asker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Dbroadloom.nvrtc.path=" + library,
                        "-Dbroadloom.cuda.cache=" + folder.resolve("cache"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Asker.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(asker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(asker.waitFor()).isZero();
        return said.lines().toList();
    }

    @Test
    void onceItIsLoadedItIsAskedAndItsNameIsNot() throws Exception {
        assertThat(versions("libnvrtc.so.12.1")).containsExactly("12.1", "12.3");
    }

    @Test
    void oneWhoseNameHasNoVersionIsKnownByItsContentsBeforeAndAfter() throws Exception {
        List<String> versions = versions("libnvrtc.so.12");
        assertThat(versions).hasSize(2).allMatch(version -> version.matches("12-[0-9a-f]{8}"));
        assertThat(versions.get(0)).isEqualTo(versions.get(1));
    }
}
