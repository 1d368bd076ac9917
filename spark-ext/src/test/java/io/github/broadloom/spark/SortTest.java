package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A line that no task can hold is put in order range by range: the very bits, and the order of equal values, of sorting it at once. */
class SortTest {
    private static final int ROWS = 311;

    private static Broadloom small() {
        return LocalSpark.broadloom().withChunkBytes(256);
    }

    /** With many equal values, both zeros, and of floating dtypes infinities and NaN. */
    private static Tensor numbers(DType dtype) {
        Random random = new Random(dtype.ordinal());
        double[] values =
                random.doubles(ROWS).map(each -> Math.rint(each * 20) - 10).toArray();
        for (int i = 0; i < ROWS; i += 9) {
            values[i] = dtype.isFloatingPoint()
                    ? List.of(-0.0, Double.NaN, Double.POSITIVE_INFINITY, 0.125, -7.5)
                            .get(i % 5)
                    : -3;
        }
        Tensor doubles = Tensors.copyOf(values, ROWS);
        return LazyTensor.of(doubles)
                .abs()
                .mul(dtype.isSigned() ? -1 : 1)
                .to(dtype)
                .compute();
    }

    @ParameterizedTest
    @EnumSource
    void theBitsAreThoseOfSortingAtOnce(DType dtype) {
        Tensor x = numbers(dtype);
        Tensor copy = LazyTensor.of(x).mul(1).compute();
        List<String> others =
                List.of("sort(x, descending=True)", "argsort(x, descending=True)", "sort(x.unsqueeze(1), 0) + 1");
        for (String text : List.of("argsort(x)", others.get(dtype.ordinal() % others.size()))) {
            DistributedTensor cut =
                    small().tensor(x, dtype.ordinal() % 2 == 0 ? 2 : 7).mul(1);
            DistributedTensor result = small().eval(text, Map.of("x", cut));
            assertThat(result.explain()).contains("told by samples");
            Bits.assertSame(
                    result.collect(), LazyTensor.eval(text, Map.of("x", copy)).compute());
        }
    }

    static Stream<Tensor> lines() {
        Tensor up = Tensors.arange(ROWS);
        return Stream.of(
                up,
                LazyTensor.of(up).neg().compute(),
                LazyTensor.of(up).mul(0).compute(),
                LazyTensor.of(up).eq(ROWS - 1).compute());
    }

    /** In order already, backwards, all equal, and all but one: no range is empty, nor has it all. */
    @Test
    void noLineIsTooUneven() {
        lines().forEach(line -> {
            for (String text : List.of("sort(x)", "argsort(x)")) {
                DistributedTensor result = small().eval(text, Map.of("x", small().tensor(line, 7)));
                Bits.assertSame(
                        result.collect(),
                        LazyTensor.eval(text, Map.of("x", line)).compute());
            }
        });
    }

    @Test
    void itTakesTheJobsStagesAndTasksThatAreSaid() throws Exception {
        DistributedTensor x = small().tensor(numbers(DType.FLOAT32), 7);
        DistributedTensor sorted = x.sort(0).values();
        try (Jobs jobs = Jobs.listen()) {
            sorted.collect();
            assertThat(jobs.descriptions()).hasSize(3);
            assertThat(sorted.lastRun().orElseThrow().plan().jobs()).isEqualTo(3);
            assertThat(jobs.stages())
                    .isEqualTo(sorted.lastRun().orElseThrow().plan().sparkStages());
            assertThat(jobs.tasks())
                    .isEqualTo((int) sorted.lastRun().orElseThrow().plan().tasks());
        }
    }

    /** A table by one of its columns: what the places name is asked for. */
    @Test
    void rowsComeInTheOrderOfAColumn() {
        Tensor x = LazyTensor.random(1).randn(ROWS, 5).compute();
        DistributedTensor cut = small().withReplicateBytes(512).tensor(x, 7).cache();
        for (String text : List.of("x[argsort(x[:, 2])]", "x[argsort(x[:, 2], descending=True)][:100] * 2")) {
            Bits.assertSame(
                    small().withReplicateBytes(512).eval(text, Map.of("x", cut)).collect(),
                    LazyTensor.eval(text, Map.of("x", x)).compute());
        }
        cut.unpersist();
    }
}
