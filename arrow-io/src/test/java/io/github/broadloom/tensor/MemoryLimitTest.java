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
    /** A JVM that starts at once, and whose collector needs no other thread: beside other tests a collection takes no longer than alone. */
    private static final List<String> QUICK = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

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
        assertThat(run(List.of("-XX:MaxDirectMemorySize=50000000"), "everything"))
                .contains("Cannot allocate tensor: 41943040 bytes wanted, 41943040 allocated, limit 50000000;");
    }

    @Test
    void resultsThatAreDroppedAreFoundBeforeManyFreshPagesAreTaken() throws Exception {
        // where a collection pays by far: what is not written to takes no memory; 1 GB, a quarter of the limit, are
        // five results
        int misses = missesOfDropped();
        for (int again = 0; again < 6 && misses > 12; again++) {
            misses = missesOfDropped(); // on a busy machine a collection may take longer than fresh pages
        }
        assertThat(misses).isBetween(2, 12);
    }

    private static int missesOfDropped() throws IOException, InterruptedException {
        String output = runWithLimit(4_000_000_000L, "dropped");
        assertThat(output).contains("misses ");
        return Integer.parseInt(output.replaceAll("(?s).*misses (\\d+).*", "$1"));
    }

    @Test
    void resultsThatAreKeptAreNotSearchedForAgainAndAgain() throws Exception {
        String output = runWithLimit(1_000_000_000, "kept");
        int collections = Integer.parseInt(output.replaceAll("(?s).*collections (\\d+).*", "$1"));
        assertThat(collections).isBetween(1, 2); // after 250 MB, and after 500 MB more
    }

    @Test
    void whatIsPooledMakesRoomForWhatIsHeld() throws Exception {
        assertThat(runWithLimit(64_000_000, "sizes"))
                .contains("all sizes were there")
                .doesNotContain("Exception");
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
        command.addAll(QUICK);
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
                case "dropped" -> drop();
                case "kept" -> keep();
                case "sizes" -> sizes();
                default -> hold(41_943_040);
            }
        }

        private static void allocateAndForget() {
            for (int i = 1; i <= 100; i++) {
                long before = Storage.allocate(6_291_456).address();
                System.out.println("allocated " + i + " times, now at " + before);
            }
        }

        private static void drop() {
            for (int i = 0; i < 100; i++) {
                Storage.allocate(209_715_200);
            }
            System.out.println("misses " + Memory.figures().misses());
        }

        private static void keep() {
            List<Storage> kept = new ArrayList<>();
            for (int i = 0; i < 45; i++) {
                kept.add(Storage.allocate(20_971_520));
            }
            System.out.println("collections " + Memory.figures().collections());
            Reference.reachabilityFence(kept);
        }

        private static void sizes() {
            for (long mebibytes = 1; mebibytes < 60; mebibytes++) {
                Storage.allocate(mebibytes << 20).release();
                MemoryFigures figures = Memory.figures();
                if (figures.heldBytes() + figures.pooledBytes() > figures.limitBytes()) {
                    throw new IllegalStateException("Exception: past the limit: " + figures);
                }
            }
            System.out.println("all sizes were there");
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
