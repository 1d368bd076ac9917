package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels of reductions to be read: {@code src/test/resources/kernels}. What they compute is the matter of other tests. */
class ReductionGoldenTest {
    private static final String BEGIN = "typedef u32 Index;";

    private static Expr input(long... shape) {
        return Input.of(new Object(), DType.FLOAT32, Shape.of(shape));
    }

    private static List<CudaLaunch> launches(Reduction reduction, Expr operand, int dim) {
        return launches(List.of(reduction), operand, dim);
    }

    private static List<CudaLaunch> launches(List<Reduction> reductions, Expr operand, int dim) {
        List<Reduce> sharing = reductions.stream()
                .map(reduction -> (Reduce) Expr.reduce(reduction, operand, KeepDim.DROP, dim))
                .toList();
        PointwiseProgram program = PointwiseProgram.of(operand);
        List<Layout> layouts = program.leaves().stream()
                .map(leaf -> Layout.contiguous(leaf.shape()))
                .toList();
        int[] alignments = new int[layouts.size()];
        Arrays.fill(alignments, 16);
        return ReductionLaunches.of(program.spec(), sharing, layouts, alignments)
                .launches();
    }

    /** The kernel behind what it takes from the prelude. */
    private static String kernel(CudaLaunch launch) {
        String text = launch.source().text();
        return text.substring(text.indexOf(BEGIN));
    }

    private static String resource(String name) {
        try (InputStream in = ReductionGoldenTest.class.getResourceAsStream("/kernels/" + name)) {
            return in == null ? name + " is missing" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void rowsAreSummedByAWarpEach() {
        List<CudaLaunch> launches = launches(Reduction.SUM, input(100_000, 1000), 1);
        assertThat(launches).hasSize(1);
        assertThat(kernel(launches.get(0))).isEqualTo(resource("sum-of-rows.cu"));
    }

    @Test
    void aMeanAndADeviationReadRowsOnce() {
        List<CudaLaunch> launches = launches(List.of(Reduction.MEAN, Reduction.STD), input(100_000, 1000), 1);
        assertThat(launches).hasSize(1);
        assertThat(kernel(launches.get(0))).isEqualTo(resource("mean-and-std-of-rows.cu"));
    }

    @Test
    void columnsAreFoldedInRangesByAThreadForTwoOfThem() {
        List<CudaLaunch> launches = launches(Reduction.AMAX, input(100_000, 1000), 0);
        assertThat(launches).hasSizeGreaterThan(1);
        assertThat(kernel(launches.get(0))).isEqualTo(resource("greatest-of-columns.cu"));
    }

    @Test
    void whatExpandsEachOtherGoesThroughSharedMemory() {
        Expr difference = Expr.apply(Ops.SUB, input(4000, 1, 64), input(1, 4000, 64));
        List<CudaLaunch> launches = launches(Reduction.SUM, Expr.apply(Ops.MUL, difference, difference), 2);
        assertThat(launches).hasSize(1);
        assertThat(kernel(launches.get(0))).isEqualTo(resource("squared-distances.cu"));
    }

    @Test
    void aLineIsSplitWhereThereAreFew() {
        assertThat(launches(Reduction.SUM, input(1 << 26), 0)).hasSize(2);
        assertThat(launches(Reduction.SUM, input(100_000, 100), 1)).hasSize(1);
    }

    @Test
    void equalStructuresAreOneKernelWhateverTheirSizes() {
        assertThat(launches(Reduction.STD, input(1000, 5120), 1).get(0).source())
                .isEqualTo(launches(Reduction.STD, input(77, 1024), 1).get(0).source());
        CudaSource one = launches(Reduction.SUM, input(1000, 1024), 1).get(0).source();
        CudaSource other = launches(Reduction.SUM, input(77, 1200), 1).get(0).source();
        assertThat(one).isEqualTo(other);
    }

    @Test
    void onlyAComputedHalfIsRounded() {
        Expr half = Input.of(new Object(), DType.FLOAT16, Shape.of(1000, 1024));
        assertThat(kernel(launches(Reduction.SUM, half, 1).get(0))).doesNotContain("bl_round_half");
        assertThat(kernel(launches(Reduction.SUM, Expr.apply(Ops.RELU, half), 1).get(0)))
                .doesNotContain("bl_round_half");
        assertThat(kernel(launches(Reduction.SUM, Expr.apply(Ops.MUL, half, half), 1)
                        .get(0)))
                .contains("bl_round_half");
    }

    /** What is broadcast comes out of a cache: as many packets of the others are under way. */
    @Test
    void aBroadcastOperandTakesNoPacketFromTheOthers() {
        Expr x = input(100_000, 1000);
        Expr scaled = Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, x, input(1000)), input(100_000, 1));
        assertThat(form(scaled)).isEqualTo(form(x));
        assertThat(form(Expr.apply(Ops.SUB, x, input(100_000, 1000))).unroll()).isEqualTo(form(x).unroll() / 2);
    }

    private static FoldForm form(Expr operand) {
        Reduce reduce = (Reduce) Expr.reduce(Reduction.SUM, operand, KeepDim.DROP, 1);
        PointwiseProgram program = PointwiseProgram.of(operand);
        List<Layout> layouts = program.leaves().stream()
                .map(leaf -> Layout.contiguous(leaf.shape()))
                .toList();
        int[] alignments = new int[layouts.size()];
        Arrays.fill(alignments, 16);
        FoldLaunches launches = new FoldLaunches(program.spec(), List.of(reduce), layouts, alignments);
        FoldOrder.Fold fold = FoldOrder.of(launches.type).get(0);
        return FoldForm.of(launches.source(fold), launches.type, fold.leaf(), Long.highestOneBit(Long.MAX_VALUE));
    }
}
