package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two tensors that expand each other and are both too large to be copied: blocks of the one meet blocks of the other. */
class GridTest {
    private static final String DISTANCES = "sum((a.unsqueeze(1) - b.unsqueeze(0)) ** 2, -1)";

    /** Of which 1,000 bytes at most may be copied to every executor. */
    private final Broadloom broadloom =
            LocalSpark.broadloom().withReplicateBytes(1000).withChunkBytes(8192);

    private static Tensor a() {
        return Tensors.arange(97 * 5).to(DType.FLOAT32).reshape(97, 5);
    }

    private static Tensor b() {
        return Tensors.linspace(-7, 9, 83 * 5).to(DType.FLOAT32).reshape(83, 5);
    }

    static Stream<Arguments> cuts() {
        return Stream.of(
                arguments(1, 1),
                arguments(1, 7),
                arguments(2, 3),
                arguments(7, 2),
                arguments(13, 11),
                arguments(97, 1));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void everyPairOfCutsGivesTheBitsOfTheLocalResult(int aChunks, int bChunks) {
        for (String expression : new String[] {
            DISTANCES,
            "a.unsqueeze(1) - b.unsqueeze(0)",
            "a[:, 0] + b[:, 1].unsqueeze(1)",
            "a[:, 0].unsqueeze(1) * b[:, 1]",
            "sum(" + DISTANCES + ", 0)",
            "mean(" + DISTANCES + " + 1)",
            "amin(" + DISTANCES + ", 1)",
            "argmin(" + DISTANCES + ", 1)",
            "argmin(" + DISTANCES + ", 0)",
            "sqrt(amin(" + DISTANCES + ", 1, keepdim=True)) - a",
            "sum(" + DISTANCES + ", 1)",
            "mean(a.unsqueeze(1) * b.unsqueeze(0), 1)"
        }) {
            Tensor expected =
                    LazyTensor.eval(expression, Map.of("a", a(), "b", b())).compute();
            DistributedTensor left = broadloom.tensor(a(), aChunks);
            DistributedTensor right = broadloom.tensor(b(), bChunks).mul(1).cache();
            Bits.assertSame(
                    broadloom.eval(expression, Map.of("a", left, "b", right)).collect(), expected);
            right.unpersist();
        }
    }

    @Test
    void thePlanNamesTheGridAndItsBlocksAreDrawn() {
        DistributedTensor distances =
                broadloom.eval(DISTANCES, Map.of("a", broadloom.tensor(a(), 7), "b", broadloom.tensor(b(), 3)));
        assertThat(distances.explain())
                .contains("grid: leading size 97 is the result's, and each block is read 3 times")
                .contains("shuffle 0 B");
        assertThat(distances.toSvg()).contains("grid");
    }

    @Test
    void aReductionAlongALongDimensionGoesInSteps() {
        String plan = broadloom
                .eval(
                        "argmin(" + DISTANCES + ", 1)",
                        Map.of("a", broadloom.tensor(a(), 7), "b", broadloom.tensor(b(), 3)))
                .explain();
        assertThat(plan)
                .contains(
                        "which goes along dimension 1 in", "each task goes along it in steps, and each block is read");
    }

    /** What is joined is never there: a padded row is a part of each block's operand. */
    @Test
    void differencesOfPaddedFieldsInBlocksAreOneStage(@TempDir Path folder) throws Exception {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(2048);
        Tensor u = LazyTensor.random(5).randn(23, 17, 4).compute();
        String store = folder.resolve("u.zarr").toString();
        broadloom.tensor(u).writeZarr(store, WriteMode.CREATE, ZarrOptions.DEFAULT.withChunk(Shape.of(8, 6, 4)));
        String vorticity = "diff(pad(u, (0, 0, 0, 0, 1, 0), 'replicate'), 1, 0) * 0.5"
                + " - diff(pad(u, (0, 0, 1, 0, 0, 0), 'replicate'), 1, 1)";
        DistributedTensor result = broadloom.eval(vorticity, Map.of("u", broadloom.read(store)));
        assertThat(result.explain())
                .startsWith("1. ")
                .contains("one fused kernel for each of 6 chunks (3 x 2)")
                .contains("shuffle 0 B · 1 job · 1 stage");
        Bits.assertSame(
                result.collect(), LazyTensor.eval(vorticity, Map.of("u", u)).compute());
    }

    @Test
    void aGridIsCachedAndReadAgain() throws Exception {
        Tensor expected = LazyTensor.eval(DISTANCES + " * 2 + a[:, 0].unsqueeze(1)", Map.of("a", a(), "b", b()))
                .compute();
        DistributedTensor x = broadloom.tensor(a(), 7);
        DistributedTensor distances = broadloom
                .eval(DISTANCES, Map.of("a", x, "b", broadloom.tensor(b(), 3)))
                .cache();
        distances.materialize();
        Bits.assertSame(distances.mul(2).add(x.select(1, 0).unsqueeze(1)).collect(), expected);
        distances.unpersist();
    }

    @Test
    void aGridIsWrittenRowByRow(@TempDir Path folder) throws Exception {
        Tensor expected = LazyTensor.eval(DISTANCES, Map.of("a", a(), "b", b())).compute();
        DistributedTensor distances =
                broadloom.eval(DISTANCES, Map.of("a", broadloom.tensor(a(), 7), "b", broadloom.tensor(b(), 3)));
        for (String name : new String[] {"d.npy", "parts"}) {
            distances.writeNpy(folder.resolve(name).toString(), WriteMode.CREATE);
            Bits.assertSame(broadloom.readNpy(folder.resolve(name).toString()).collect(), expected);
        }
        distances.writeArrow(folder.resolve("d.arrow").toString(), WriteMode.CREATE);
        Bits.assertSame(
                broadloom.readArrow(folder.resolve("d.arrow").toString()).collect(), expected);
    }
}
