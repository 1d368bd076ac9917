package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

/** The limit is read once per JVM, so each case has a JVM of its own. */
class MemoryLimitTest {

    @Test
    void garbageIsCollectedBeforeAnAllocationFails() throws Exception {
        assertThat(runWithLimit(10_000_000, "garbage"))
                .contains("allocated 100 times")
                .doesNotContain("Exception");
    }

    @Test
    void pastTheLimitTheFailureHasTheFigures() throws Exception {
        assertThat(runWithLimit(10_000_000, "held"))
                .contains("Cannot allocate tensor: 6291456 bytes wanted, 6291456 allocated, limit 10000000;"
                        + " use smaller chunks, or raise -Dbroadloom.memory.limit");
    }

    @Test
    void pastTheJvmsOwnLimitTheFailureIsTheSame() throws Exception {
        assertThat(run(List.of("-Dio.netty.maxDirectMemory=50000000"), "everything"))
                .contains("Cannot allocate tensor: 41943040 bytes wanted, 41943040 allocated, limit that of the JVM;");
    }

    private static String runWithLimit(long bytes, String program) throws IOException, InterruptedException {
        return run(List.of("-Dbroadloom.memory.limit=" + bytes), program);
    }

    private static String run(List<String> options, String program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName(), program));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return text;
        }
    }

    /** What the other JVM runs. */
    static final class Program {
        public static void main(String[] names) {
            switch (names[0]) {
                case "garbage" -> allocateAndForget();
                case "held" -> hold(6_291_456);
                default -> hold(41_943_040);
            }
        }

        private static void allocateAndForget() {
            for (int i = 1; i <= 100; i++) {
                long before = Storage.allocate(6_291_456).address();
                System.out.println("allocated " + i + " times, now at " + before);
            }
        }

        private static void hold(long bytes) {
            Storage held = Storage.allocate(bytes);
            try {
                Storage.allocate(bytes);
                System.out.println("no failure");
            } catch (OutOfMemoryException expected) {
                System.out.println(expected.getMessage());
            }
            Reference.reachabilityFence(held);
        }
    }
}
