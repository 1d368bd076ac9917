package io.github.broadloom.cpu;

import static io.github.broadloom.cpu.Programs.bits;
import static io.github.broadloom.cpu.Programs.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomTensors;
import io.github.broadloom.testkit.random.RandomTensors.View;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs whose transposed operands are gathered by blocks give the bits that tiles give. */
class BlockPassTest {
    private static final CpuBackend TILES = new CpuBackend(); // what is small goes through tiles
    private static final Kernels KERNELS = new Kernels();

    private final RandomTensors random = new RandomTensors(29);

    @BeforeAll
    static void needsVectors() {
        assumeTrue(Simd.haveEights(), "the Vector API of this JVM, or this machine, has no vectors of eight floats");
    }

    /** Computes into the target by blocks; says whether it could. */
    private static boolean runs(String text, Map<String, Tensor> names, Tensor target, int threads, Reach reach) {
        PointwiseProgram program = PointwiseProgram.of(parse(text, names));
        List<Tensor> places = new ArrayList<>(new Buffers().of(program));
        places.add(target);
        KernelSpec spec = program.spec();
        LoopNest nest =
                LoopNest.of(target.layout(), places.stream().map(Tensor::layout).toList());
        Optional<BlockPass> blocks = BlockPass.of(spec, nest);
        blocks.ifPresent(found -> {
            List<DirectKernel> kernels = found.forms().stream()
                    .map(rows -> KERNELS.direct(rows.over(spec), reach).get().with(program.numbers()))
                    .toList();
            found.run(kernels, places, threads);
        });
        Reference.reachabilityFence(names);
        return blocks.isPresent();
    }

    private static void assertSame(String text, Map<String, Tensor> names) {
        Tensor expected = TILES.evaluate(parse(text, names), 1);
        for (Reach reach :
                DirectRuns.reaches(PointwiseProgram.of(parse(text, names)).spec())) {
            for (int threads : new int[] {1, 3}) {
                Tensor got = Tensors.full(expected.shape(), -7.0, DType.FLOAT32);
                assertThat(runs(text, names, got, threads, reach))
                        .as("%s runs by blocks", text)
                        .isTrue();
                assertThat(bits(got)).as("%s, %s", text, reach).isEqualTo(bits(expected));
            }
        }
    }

    private Tensor dense(DType dtype, long... shape) {
        return random.tensor(dtype, Shape.of(shape), View.CONTIGUOUS);
    }

    @ParameterizedTest
    @CsvSource({"16, 64", "63, 65", "64, 100", "65, 1535", "100, 1537", "130, 3072", "17, 3079", "200, 5000", "129, 71"
    })
    void aTransposedMatrixBesideOthers(long rows, long columns) {
        Map<String, Tensor> names = Map.of(
                "x", dense(DType.FLOAT32, columns, rows).t(),
                "y", dense(DType.FLOAT32, rows, columns),
                "z", dense(DType.FLOAT32, columns),
                "w", dense(DType.FLOAT32, rows, 1));
        assertSame("x + y * w - z", names);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"UINT8", "INT8", "INT16", "INT32", "FLOAT32"})
    void everyDTypeThatIsReadInPlace(DType dtype) {
        Map<String, Tensor> names = Map.of(
                "x", dense(dtype, 333, 77).t(),
                "other", dense(DType.FLOAT32, 333, 77).t(),
                "y", dense(DType.FLOAT32, 77, 333));
        assertSame("float32(x) * y - other", names);
    }

    @Test
    void permutedDimensions() {
        Tensor x = dense(DType.FLOAT32, 9, 70, 34);
        assertSame("x - y", Map.of("x", x.permute(2, 0, 1), "y", dense(DType.FLOAT32, 34, 9, 70)));
        assertSame("x - y", Map.of("x", x.permute(0, 2, 1), "y", dense(DType.FLOAT32, 9, 34, 70)));
        assertSame("x - y", Map.of("x", x.permute(2, 0, 1), "y", dense(DType.FLOAT32, 34, 1, 70)));
    }

    @Test
    void partsOfTensors() {
        Tensor wide = dense(DType.FLOAT32, 300, 120);
        Tensor target = dense(DType.FLOAT32, 90, 240);
        Tensor part = target.narrow(0, 7, 80).narrow(1, 20, 200);
        Map<String, Tensor> names =
                Map.of("x", wide.narrow(0, 11, 200).narrow(1, 5, 80).t(), "y", dense(DType.FLOAT32, 80, 200));
        Tensor before = target.copy();
        assertThat(runs("x * y", names, part, 2, Reach.BY_PIECES)).isTrue();
        assertThat(bits(part)).isEqualTo(bits(TILES.evaluate(parse("x * y", names), 1)));
        assertThat(bits(target.narrow(0, 0, 7))).isEqualTo(bits(before.narrow(0, 0, 7)));
        assertThat(bits(target.narrow(1, 220, 20))).isEqualTo(bits(before.narrow(1, 220, 20)));
    }

    @Test
    void linesThatShareTheirElements() {
        Tensor windows =
                dense(DType.FLOAT32, 500).unfold(0, 100, 4).t(); // a column begins four elements after the one before
        assertSame("x + y", Map.of("x", windows, "y", dense(DType.FLOAT32, 100, 101)));
    }

    @Test
    void whatLiesOtherwiseGoesThroughTiles() {
        Tensor y = dense(DType.FLOAT32, 100, 200);
        Tensor steps = dense(DType.FLOAT32, 100, 400).slice(1, null, null, 2);
        Tensor narrow = dense(DType.FLOAT32, 20_000, 10).t();
        for (Tensor x : List.of(steps, narrow, y)) {
            Tensor target = Tensors.zeros(x.shape(), DType.FLOAT32);
            assertThat(runs("x * 2", Map.of("x", x), target, 1, Reach.BY_PIECES))
                    .as(x.layout().toString())
                    .isFalse();
        }
    }
}
