package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Devices;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another user of the machine puts a library where JCuda's is looked for, under its name and in its size; one that writes a file as
 * soon as a process loads it. The victim is a JVM that looks for its GPUs.
 */
@WithFakeGpu
class PlantedLibraryTest {
    private static final String LIBRARY = "libJCudaDriver-12.6.0-linux-x86_64.so";
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final String PLANTED = """
            #include <cstdio>
            #include <cstdlib>
            __attribute__((constructor)) static void run() {
              const char* name = getenv("PLANTED_RAN");
              if (name) fclose(fopen(name, "w"));
            }
            """;
    private static final String FOUND =
            "Fake GPU 0 (1024 MiB, 0000:01:00.0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f0), driver for CUDA 12.6";

    @TempDir
    Path folder;

    private Path shared;
    private Path cache;
    private Path ran;
    private byte[] planted;

    /** Says what it finds, and where temporary files go then. */
    static final class Victim {
        public static void main(String[] arguments) {
            Devices.describe().forEach(System.out::println);
            System.out.println(Gpus.probe().reason());
            System.out.println("temporary files: " + System.getProperty("java.io.tmpdir"));
        }
    }

    @BeforeEach
    void build() throws IOException {
        shared = Files.createDirectory(folder.resolve("shared"));
        Files.setAttribute(shared, "unix:mode", 01777);
        cache = folder.resolve("cache");
        ran = folder.resolve("ran");
        try (InputStream in = PlantedLibraryTest.class.getResourceAsStream("/lib/" + LIBRARY)) {
            byte[] library = Files.readAllBytes(HostBuild.sharedObject(PLANTED, List.of()));
            planted = Arrays.copyOf(library, in.readAllBytes().length); // zeros behind a library do it no harm
        }
    }

    private Path jcudaFolder(String mode) throws IOException {
        Path made = Files.createDirectories(cache.resolve("jcuda"));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
    }

    /** What the victim prints. */
    private String victim(Map<String, String> environment, String... options) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(java, "-Xmx64m", "-Djava.io.tmpdir=" + shared);
        builder.command().addAll(List.of(options));
        builder.command().addAll(List.of("-cp", CLASS_PATH, Victim.class.getName()));
        builder.environment().put("PLANTED_RAN", ran.toString());
        builder.environment().put("LD_LIBRARY_PATH", FakeDriver.place().folder().toString());
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("temporary files: " + shared + "\n");
        return output;
    }

    private String victimWithCache() throws Exception {
        return victim(Map.of(), "-Dbroadloom.cuda.cache=" + cache);
    }

    @Test
    void thePlantedLibraryRunsWhereItIsLoaded() throws Exception {
        Path library = Files.write(shared.resolve(LIBRARY), planted);
        victim(Map.of("LD_PRELOAD", library.toString()), "-Dbroadloom.cuda.cache=" + cache);
        assertThat(ran).exists();
    }

    @Test
    void oneInTheSharedTemporaryFolderIsNotLoaded() throws Exception {
        Files.write(shared.resolve(LIBRARY), planted);
        assertThat(victimWithCache()).contains(FOUND);
        assertThat(ran).doesNotExist();
        assertThat(shared.toFile().list()).as("nothing is unpacked there").containsExactly(LIBRARY);
    }

    @Test
    void oneInTheCacheIsReplaced() throws Exception {
        Path library = Files.write(jcudaFolder("rwx------").resolve(LIBRARY), planted);
        assertThat(victimWithCache()).contains(FOUND);
        assertThat(ran).doesNotExist();
        assertThat(Files.readAllBytes(library)).isNotEqualTo(planted);
    }

    @Test
    void oneThatALinkLeadsToIsNotLoaded() throws Exception {
        Path library = Files.write(shared.resolve("evil.so"), planted);
        Files.createSymbolicLink(jcudaFolder("rwx------").resolve(LIBRARY), library);
        assertThat(victimWithCache()).contains(FOUND);
        assertThat(ran).doesNotExist();
        assertThat(library).as("nor written through the link").hasBinaryContent(planted);
    }

    @Test
    void aCacheThatOthersCanWriteToIsRefused() throws Exception {
        Path open = jcudaFolder("rwxrwxrwx");
        Files.write(open.resolve(LIBRARY), planted);
        assertThat(victimWithCache())
                .contains("cuda: JCuda's native library cannot be unpacked: Cannot use a cache folder (" + open
                        + ": others have access to it: its mode is 777, not 700);"
                        + " set broadloom.cuda.cache to a folder of this user's alone\n");
        assertThat(ran).doesNotExist();
    }

    @Test
    void aCacheThatSomebodyElseMadeInTheSharedFolderIsRefused() throws Exception {
        cache = shared.resolve("broadloom-" + System.getProperty("user.name"));
        Path squatted = jcudaFolder("rwx------");
        Files.write(squatted.resolve(LIBRARY), planted);
        try {
            Files.setAttribute(cache, "unix:uid", 12345);
            Files.setAttribute(squatted, "unix:uid", 12345);
        } catch (IOException e) {
            assumeTrue(false, "this user cannot make files that belong to another: " + e);
        }
        assertThat(victim(Map.of("XDG_CACHE_HOME", ""), "-Duser.home=?"))
                .contains(
                        "Cannot use a cache folder (" + squatted + ": it belongs to 12345); set broadloom.cuda.cache");
        assertThat(ran).doesNotExist();
    }
}
