package io.github.broadloom.examples.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.cuda.Rehearsal;
import io.github.broadloom.device.cuda.WithFakeGpu;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The vectors that PyTorch computed, through the CUDA C that is made for them: g++ compiles it and the CPU runs it, with traps for accesses that are misaligned or
 * out of bounds, and memory that is poisoned.
 */
@WithFakeGpu
class CudaConformanceTest {
    private static final Device CUDA = Device.of("cuda");

    @TempDir
    Path folder;

    @ParameterizedTest
    @FieldSource("io.github.broadloom.examples.conformance.GoldenFiles#ALL")
    void noVectorFails(String name) throws IOException {
        Path file = GoldenFiles.copy(name, folder);
        int kernels = Rehearsal.compile(() -> run(file, new LocalEngine(CUDA)));
        List<Verdict> failed = run(file, new LocalEngine(CUDA));
        assertThat(failed).as("with %d kernels", kernels).isEmpty();
    }

    private static List<Verdict> run(Path file, LocalEngine engine) {
        List<Verdict> failed = new ArrayList<>();
        try {
            new Conformance(engine).run(file, verdict -> {
                if (verdict.outcome() == Verdict.Outcome.FAILED) {
                    failed.add(verdict);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return failed;
    }
}
