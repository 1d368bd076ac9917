package io.github.broadloom.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever goes wrong at whatever moment of whatever program, it ends with the right bits or one sentence, and leaves nothing behind. */
@Tag("full")
class ChaosTest {
    /** Executors that are killed, which takes seconds to replace; of the other faults four times as many. {@code -Dbroadloom.effort=10} tries ten times as many. */
    private static final int COUNT = 3;

    @TempDir
    static Path folder;

    private static Chaos chaos;

    @BeforeAll
    static void start() throws IOException {
        chaos = new Chaos(folder, "spark.shuffle.compress", "false");
    }

    @AfterAll
    static void stop() {
        System.out.println(chaos.summary());
        chaos.close();
        chaos = null;
    }

    static Stream<Arguments> programs() {
        return Arrays.stream(ChaosFault.values())
                .flatMap(fault -> fault.batches(COUNT).stream().map(batch -> Arguments.of(fault, batch)));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsEndRightOrWithASentenceAndLeaveNothing(ChaosFault fault, long[] seeds) throws Exception {
        assumeTrue(chaos.has(fault), "only root may mount a disk of 64 MB");
        chaos.run(fault, seeds);
    }
}
