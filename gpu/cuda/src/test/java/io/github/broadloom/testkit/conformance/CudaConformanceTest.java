package io.github.broadloom.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.tensor.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The vectors that PyTorch computed, through the CUDA C that is made for them: g++ compiles it and the CPU runs it, with traps for accesses that are misaligned or
 * out of bounds, and memory that is poisoned.
 */
@WithFakeGpu
@Tag("full")
class CudaConformanceTest {
    private static final Device CUDA = Device.of("cuda");

    @TempDir
    static Path folder;

    @BeforeAll
    static void compileAllAtOnce() {
        Rehearsal.compile(() -> VectorFiles.names().forEach(name -> failures(name, verdict -> {})));
    }

    @ParameterizedTest
    @MethodSource("io.github.broadloom.testkit.conformance.VectorFiles#names")
    void noVectorFails(String name) {
        Tally tally = new Tally();
        assertThat(failures(name, tally)).isEmpty();
        assertThat(tally.passed()).as(tally.toString()).isPositive();
    }

    private static List<Verdict> failures(String name, Consumer<Verdict> verdicts) {
        return VectorFiles.failures(VectorFiles.file(name, folder), new LocalEngine(CUDA), verdicts);
    }
}
