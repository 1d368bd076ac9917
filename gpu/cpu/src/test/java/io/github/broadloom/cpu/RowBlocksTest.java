package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reductions of reductions: the inner results are computed in blocks of rows, with the bits of those that are stored. */
class RowBlocksTest {
    private static final CpuBackend BACKEND = new CpuBackend();
    private static final int N = 1501;
    private static final int M = 1103;
    private static final int D = 3;

    /** [N,M], 6.6 MB: more than a strip leaves. */
    private static LazyTensor squares() {
        return squares(random(1, N, D));
    }

    private static LazyTensor squares(Tensor a) {
        return LazyTensor.of(a)
                .unsqueeze(1)
                .sub(LazyTensor.of(b()).unsqueeze(0))
                .square()
                .sum(-1);
    }

    private static Tensor b() {
        return random(2, M, D);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theBitsAreThoseOfInnerResultsThatAreStored(int dim) {
        LazyTensor stored = LazyTensor.of(squares().compute());
        assertThat(squares().amin(dim).compute().values())
                .isEqualTo(stored.amin(dim).compute().values());
        assertThat(squares().argmax(dim).compute().values())
                .isEqualTo(stored.argmax(dim).compute().values());
        assertThat(squares().sum(dim).compute().values())
                .isEqualTo(stored.sum(dim).compute().values());
        assertThat(squares().std(dim).compute().values())
                .isEqualTo(stored.std(dim).compute().values());
        assertThat(squares().mean(KeepDim.KEEP, dim).compute().shape())
                .hasToString(dim == 0 ? "[1, 1103]" : "[1501, 1]");
    }

    @Test
    void whatSeveralReductionsTakeIsComputedOnceForAll() {
        LazyTensor inner = squares();
        LazyTensor stored = LazyTensor.of(inner.compute());
        assertThat(inner.amin(1)
                        .stack(0, inner.amax(1), inner.mean(1))
                        .compute()
                        .values())
                .isEqualTo(stored.amin(1)
                        .stack(0, stored.amax(1), stored.mean(1))
                        .compute()
                        .values());
    }

    @Test
    void reductionsAlongTheRowsAndAcrossThemGoTogether() {
        LazyTensor inner = squares();
        LazyTensor stored = LazyTensor.of(inner.compute());
        assertThat(inner.amin(0).amin().add(inner.amin(1).amax()).compute().values())
                .isEqualTo(stored.amin(0)
                        .amin()
                        .add(stored.amin(1).amax())
                        .compute()
                        .values());
    }

    @Test
    void innerResultsThatAreNeededElsewhereAreThereToo() {
        LazyTensor inner = squares();
        LazyTensor stored = LazyTensor.of(inner.compute());
        assertThat(inner.sub(inner.mean(KeepDim.KEEP, 1)).amax(1).compute().values())
                .isEqualTo(stored.sub(stored.mean(KeepDim.KEEP, 1))
                        .amax(1)
                        .compute()
                        .values());
        assertThat(inner.sub(inner.amin(KeepDim.KEEP, 1)).compute().values())
                .isEqualTo(stored.sub(stored.amin(KeepDim.KEEP, 1)).compute().values());
    }

    /** The mean of b has nothing to do with the rows, nor has an operand that has as many elements as there are rows. */
    @Test
    void whatDoesNotFollowTheRowsStaysWhole() {
        Tensor square = random(3, 1500, 1500);
        Tensor line = random(4, 1500);
        LazyTensor centred = LazyTensor.of(square)
                .sub(LazyTensor.of(line))
                .sub(LazyTensor.of(b()).mean(0).sum());
        LazyTensor inner = centred.unsqueeze(2).square().sum(-1).add(LazyTensor.of(line));
        Tensor stored = inner.compute();
        assertThat(inner.amax(1).compute().values())
                .isEqualTo(LazyTensor.of(stored).amax(1).compute().values());
    }

    @Test
    void threeFloorsOfReductions() {
        Tensor x = random(5, 600, 40, 50, 2);
        LazyTensor inner = LazyTensor.of(x).sum(-1);
        LazyTensor stored = LazyTensor.of(
                LazyTensor.of(LazyTensor.of(x).sum(-1).compute()).amax(-1).compute());
        assertThat(inner.amax(-1).sum(-1).compute().values())
                .isEqualTo(stored.sum(-1).compute().values());
    }

    @Test
    void chunksOfRowsLeaveTheNodesOfTheirPlaces() {
        Expr whole = squares().amin(0).expr();
        RowFold fold = RowFold.of((Reduce) whole);
        for (long[] rows : new long[][] {{1001, 1501}, {0, 37}, {37, 1001}}) {
            LazyTensor part = squares(random(1, N, D).narrow(0, rows[0], rows[1] - rows[0]))
                    .amin(0);
            List<FoldNode> nodes = BACKEND.partials((Reduce) part.expr(), rows[0]);
            assertThat(nodes).hasSizeLessThan(20);
            nodes.forEach(fold::push);
        }
        assertThat(fold.finish().values()).isEqualTo(squares().amin(0).compute().values());
    }

    /** All of them would be 24 MB. */
    @Test
    void noMoreThanAStripOfTheInnerResultsIsHeld() {
        Expr nearest = LazyTensor.of(random(7, 3000, 1, D))
                .sub(LazyTensor.of(random(8, 2000, D)))
                .square()
                .sum(-1)
                .argmin(1)
                .expr();
        try (MemoryMeter meter = MemoryMeter.begin()) {
            assertThat(BACKEND.evaluate(nearest).shape()).isEqualTo(Shape.of(3000));
            assertThat(meter.peakBytes()).isLessThan(5 << 20);
        }
    }

    /** 4 MB of rows of 1103 float32 are 950; 512 is the power of two below. */
    @Test
    void thePlanTellsHowManyRowsAreThereAtATime() {
        assertThat(squares().amin(1).explain())
                .contains("amin(…, dim=[1]) of float32[1501, 1103]: 512 rows of it at a time:");
    }

    private static Tensor random(long seed, long... sizes) {
        Random random = new Random(seed);
        int count = 1;
        for (long size : sizes) {
            count *= (int) size;
        }
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat();
        }
        return Tensors.copyOf(values, sizes);
    }
}
