package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.MaskOps;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a computed mask picks is picked where it lies, and counted: the elements that a mask of this machine picks. */
class FilterTest {
    private static final int ROWS = 311;
    private static final int MANY = (1 << 20) + 37;
    private static final String PICKED = "picks its own";

    private static Tensor random(DType dtype, int... sizes) {
        double[] values = new Random(dtype.ordinal())
                .doubles(Shape.of(longs(sizes)).numel(), -50, 50)
                .toArray();
        LazyTensor numbers = LazyTensor.of(Tensors.copyOf(values, longs(sizes)));
        return (dtype.isSigned() ? numbers : numbers.abs()).to(dtype).compute();
    }

    private static long[] longs(int... sizes) {
        return Arrays.stream(sizes).asLongStream().toArray();
    }

    private static Tensor mask(String which, int rows) {
        Tensor at = Tensors.arange(rows);
        return LazyTensor.eval(which, Map.of("i", at)).compute();
    }

    private static DistributedTensor picked(DistributedTensor x, DistributedTensor mask) {
        return x.withExpr(MaskOps.rows(x.expr(), mask.expr(), x::values));
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfEveryDType(DType dtype) {
        for (int columns : new int[] {1, 3}) {
            Tensor x = random(dtype, ROWS, columns);
            Tensor mask = mask("i * 7 % 5 < 2", ROWS);
            DistributedTensor cut = LocalSpark.broadloom().tensor(x, 7);
            Bits.assertSame(
                    picked(cut, LocalSpark.broadloom().tensor(mask, 7)).collect(),
                    LazyTensor.of(x).pick(mask).compute());
        }
    }

    /** Parts without any row stand before, between and behind others. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "i < 0",
                "i >= 0",
                "i == 310",
                "i == 0",
                "(i > 100) & (i < 103)",
                "(i < 40) | (i > 290)",
                "i % 2 == 0"
            })
    void partsMayBeEmpty(String which) {
        Tensor x = random(DType.FLOAT32, ROWS, 2);
        Tensor mask = mask(which, ROWS);
        Tensor expected = LazyTensor.of(x).pick(mask).compute();
        for (int chunks : new int[] {1, 2, 7}) {
            Broadloom broadloom = LocalSpark.broadloom();
            DistributedTensor result = picked(broadloom.tensor(x, chunks).mul(1), broadloom.tensor(mask, chunks));
            assertThat(result.explain()).contains(PICKED);
            Bits.assertSame(result.collect(), expected);
            Bits.assertSame(
                    result.mul(2).sum(0).collect(),
                    LazyTensor.of(expected).mul(2).sum(0).compute());
        }
    }

    /** Of two dimensions, and of a mask that needs all rows first; each is a value that is not on the driver. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x[x > 0]",
                "x[x[:, :, 0] > mean(x)]",
                "x[x[:, 0, 0] > 0.3]",
                "sort(x[x > 49], 0) * 2",
                "cumsum(x[x < -49.9], 0)"
            })
    void largeMasksStayWhereTheyAre(String text) {
        Tensor x = random(DType.FLOAT32, MANY / 8, 4, 3);
        DistributedTensor cut = LocalSpark.broadloom().tensor(x, 7).cache();
        DistributedTensor result = LocalSpark.broadloom().eval(text, Map.of("x", cut));
        assertThat(result.explain()).contains(PICKED);
        Bits.assertSame(result.collect(), LazyTensor.eval(text, Map.of("x", x)).compute());
    }

    @Test
    void methodsPickWhereItLies() {
        Tensor x = random(DType.INT32, MANY / 8, 12);
        Tensor some = random(DType.INT32, MANY / 8, 1);
        DistributedTensor cut = LocalSpark.broadloom().tensor(x, 2).cache();
        DistributedTensor mask = cut.gt(48);
        Tensor local = LazyTensor.of(x).gt(48).compute();
        Bits.assertSame(cut.pick(mask).collect(), LazyTensor.of(x).pick(local).compute());
        Bits.assertSame(
                LocalSpark.broadloom().tensor(some, 7).maskedSelect(mask).collect(),
                LazyTensor.of(some).maskedSelect(local).compute());
        DistributedTensor places = mask.nonzero();
        assertThat(places.explain()).contains(PICKED);
        Bits.assertSame(places.collect(), LazyTensor.of(local).nonzero().compute());
        assertThatThrownBy(() -> cut.slice(1, Slice.to(11)).pick(mask))
                .hasMessage(
                        "The shape of the mask [131076, 12] at index 1 does not match the shape of the indexed tensor [131076, 11] at index 1");
        cut.unpersist();
    }

    @Test
    void itTakesTheJobsStagesAndTasksThatAreSaid() throws Exception {
        DistributedTensor x = LocalSpark.broadloom().tensor(random(DType.FLOAT32, ROWS, 2), 7);
        DistributedTensor rows = picked(x, x.select(1, 0).gt(25)).add(1);
        assertThat(picked(x, x.select(1, 0).gt(25)).toSvg()).contains("picked in 7 chunks", "in 2 chunks");
        try (Jobs jobs = Jobs.listen()) {
            rows.collect();
            assertThat(jobs.descriptions()).hasSize(2);
            assertThat(rows.lastRun().orElseThrow().plan().jobs()).isEqualTo(2);
            assertThat(jobs.stages())
                    .isEqualTo(rows.lastRun().orElseThrow().plan().sparkStages());
            assertThat(jobs.tasks())
                    .isEqualTo((int) rows.lastRun().orElseThrow().plan().tasks());
        }
    }
}
