package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.bench.BenchOptions;
import io.github.broadloom.bench.dryrun.DryRunGpu;
import io.github.broadloom.cuda.FakeGpus;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.testkit.random.DeviceProperty;
import io.github.broadloom.testkit.random.RandomExprs;
import io.github.broadloom.tools.console.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine without a compiler has every kernel that it asks for: what is compiled ahead is what runs. */
@WithFakeGpu
class CubinsCheckTest {
    private static final Path GOLDEN = Path.of("../../arrow-io/src/test/resources/golden");

    private static void assertAllAreAhead(Consumer<Device> work) {
        Set<CudaSource> ran = Rehearsal.kernels(() -> work.accept(Device.of("cuda")));
        assertIsAhead(ran, DryRunGpu.kernels(() -> work.accept(DryRunGpu.DEVICE)));
    }

    private static void assertIsAhead(Set<CudaSource> ran, Set<CudaSource> ahead) {
        assertThat(ran).isNotEmpty();
        assertThat(without(ran, ahead)).as("compiled on the spot").isEmpty();
        assertThat(without(ahead, ran)).as("compiled for nothing").isEmpty();
    }

    /** The texts of those that only one has. */
    private static List<String> without(Set<CudaSource> kernels, Set<CudaSource> others) {
        return kernels.stream()
                .filter(kernel -> !others.contains(kernel))
                .map(CudaSource::text)
                .toList();
    }

    private static void runVectors(Device device, String name) {
        GpuCheck check = new VectorCheck(device, List.of(GOLDEN.resolve(name + ".jsonl")));
        GpuReport.Section found = check.outcome(new Console(new PrintWriter(new StringWriter())), soFar -> {});
        assertThat(found.sound() || !device.equals(DryRunGpu.DEVICE))
                .as(found.summary())
                .isTrue();
    }

    /** Without the search for the smallest part that differs, for while kernels are only told nothing is computed. */
    private static void compareRandomExpressions(Device device, int count) {
        for (long seed = 0; seed < count; seed++) {
            try {
                DeviceProperty.of(device, seed).check(RandomExprs.of(seed));
            } catch (AssertionError difference) {
                assertThat(device).isNotEqualTo(DryRunGpu.DEVICE);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inplace", "overlap", "reduce", "join", "seed"})
    void theKernelsOfVectorsAreThoseThatRun(String name) {
        assertAllAreAhead(device -> runVectors(device, name));
    }

    @ParameterizedTest
    @Tag("full") // some seconds each
    @ValueSource(strings = {"binary", "call", "sparse", "ternary", "unary", "view"})
    void theKernelsOfMoreVectorsAreThoseThatRun(String name) {
        assertAllAreAhead(device -> runVectors(device, name));
    }

    /** Which rows' products come back is known of the values, so the kernels compute. */
    @Test
    void theKernelsOfNearestRowsAreThoseThatRun() {
        Device cuda = Device.of("cuda");
        Set<CudaSource> ran = ConcurrentHashMap.newKeySet();
        FakeGpus.closeAll();
        Gpus.resolve(cuda); // which starts the driver
        Gpus.open(0, (source, architecture) -> {
            ran.add(source);
            return new HostCompiler().compile(source, architecture);
        });
        assertThat(new NearestCheck(cuda, new BenchOptions()).differences()).isEmpty();
        FakeGpus.closeAll();
        assertIsAhead(
                ran, DryRunGpu.kernels(() -> new NearestCheck(DryRunGpu.DEVICE, new BenchOptions()).differences()));
    }

    @Test
    void theKernelsOfRandomExpressionsAreThoseThatRun() {
        assertAllAreAhead(device -> compareRandomExpressions(device, 60));
    }

    @Test
    @Tag("full") // half a minute
    void theKernelsOfAThousandRandomExpressionsAreThoseThatRun() {
        assertAllAreAhead(device -> compareRandomExpressions(device, 1000));
    }
}
