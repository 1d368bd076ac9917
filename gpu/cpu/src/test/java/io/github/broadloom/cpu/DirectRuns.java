package io.github.broadloom.cpu;

import static io.github.broadloom.cpu.Programs.bits;
import static io.github.broadloom.cpu.Programs.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.code.DirectKernelRenderer;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;

/** Runs programs directly, and as tiles to compare. */
abstract class DirectRuns {
    static final CpuBackend TILES = new CpuBackend(); // what is small goes through tiles
    private static final Kernels KERNELS = new Kernels();

    private final RandomTensors random = new RandomTensors(23);

    @BeforeAll
    static void needsVectors() {
        assumeTrue(Simd.haveEights(), "the Vector API of this JVM, or this machine, has no vectors of eight floats");
    }

    /** The ways that this JVM has. */
    static List<Reach> reaches(KernelSpec spec) {
        return DirectKernelRenderer.isByPieces(spec)
                ? List.of(Reach.BY_PIECES)
                : Stream.of(Reach.BY_PIECES, Reach.inPlace()).distinct().toList();
    }

    /** Computes into the target, directly; says whether it could. */
    static boolean runs(String text, Map<String, Tensor> names, Tensor target, int threads) {
        return runs(text, names, target, threads, DirectPass.WINDOW_BYTES, Reach.BY_PIECES);
    }

    private static boolean runs(
            String text, Map<String, Tensor> names, Tensor target, int threads, int windowBytes, Reach reach) {
        PointwiseProgram program = PointwiseProgram.of(parse(text, names));
        Buffers buffers = new Buffers();
        List<Tensor> places = new ArrayList<>(buffers.of(program));
        places.add(target);
        KernelSpec spec = program.spec();
        LoopNest nest =
                LoopNest.of(target.layout(), places.stream().map(Tensor::layout).toList());
        Optional<DirectNest> direct = DirectNest.of(spec, nest);
        direct.ifPresent(rows -> {
            DirectKernel kernel = KERNELS.direct(rows.over(spec), reach).get().with(program.numbers());
            new DirectPass(rows, places, windowBytes).run(kernel, threads);
        });
        Reference.reachabilityFence(names);
        return direct.isPresent();
    }

    static void assertSame(String text, Map<String, Tensor> names) {
        Tensor expected = TILES.evaluate(parse(text, names), 1);
        for (Reach reach : reaches(PointwiseProgram.of(parse(text, names)).spec())) {
            for (int threads : new int[] {1, 2, 7}) {
                for (int windowBytes : new int[] {1 << 17, DirectPass.WINDOW_BYTES}) {
                    Tensor got = Tensors.full(expected.shape(), -7.0, expected.dtype());
                    assertThat(runs(text, names, got, threads, windowBytes, reach))
                            .as("%s runs directly", text)
                            .isTrue();
                    assertThat(bits(got)).as("%s, %s", text, reach).isEqualTo(bits(expected));
                }
            }
        }
    }

    Tensor dense(DType dtype, long... shape) {
        return random.tensor(dtype, Shape.of(shape), View.CONTIGUOUS);
    }
}
