package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Devices;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM says of its GPUs at its first look, on machines that have different things. */
@WithFakeGpu
class GpuProcessesTest {
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    Path folder;

    /** Prints a line for each device type. */
    static final class Program {
        public static void main(String[] arguments) {
            Devices.describe().forEach(System.out::println);
            System.out.println(Gpus.probe().reason());
        }
    }

    private Process start(String classPath, String libraries) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                List.of(java, "-Xmx64m", "-Dbroadloom.cuda.cache=" + folder, "-cp", classPath, Program.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LD_LIBRARY_PATH", libraries);
        return builder.start();
    }

    private static String outputOf(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String without(String... names) {
        return Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(entry -> Arrays.stream(names)
                        .noneMatch(
                                name -> Path.of(entry).getFileName().toString().startsWith(name)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void manyThatStartAtOnceOnAnEmptyFolderAllFindTheGpu() throws Exception {
        FakeDriver driver = FakeDriver.place();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            processes.add(start(CLASS_PATH, driver.folder().toString()));
        }
        for (Process process : processes) {
            assertThat(outputOf(process))
                    .contains(
                            "Fake GPU 0 (1024 MiB, 0000:01:00.0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f0), driver for CUDA 12.6");
        }
        assertThat(driver.calls("cuInit")).isEqualTo(6);
        assertThat(folder.resolve("jcuda").toFile().list()).containsExactly("libJCudaDriver-12.6.0-linux-x86_64.so");
    }

    @Test
    void withoutADriverTheReasonIsOneSentence() throws Exception {
        assertThat(outputOf(start(CLASS_PATH, folder.toString())))
                .contains("cuda: no NVIDIA driver on this machine (libcuda.so.1 does not load)\n");
    }

    @Test
    void withoutJCudaTheReasonIsOneSentence() throws Exception {
        assertThat(outputOf(start(without("jcuda-"), folder.toString())))
                .contains(
                        "cuda: JCuda is not on the class path (lib/libJCudaDriver-12.6.0-linux-x86_64.so is missing)\n");
        assertThat(outputOf(start(without("jcuda-1"), folder.toString())))
                .contains("cuda: JCuda is not on the class path\n");
    }
}
