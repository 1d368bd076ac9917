package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes that depend on values, which are computed first: of masks, and of counts. What masks pick between brackets is in the vectors. */
class DecisiveValuesTest {
    private static Tensor numbers() {
        return Tensors.arange(-6, 15, 1, DType.INT64).view(7, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void whatIsTrueIsCountedByAJob(int chunks) throws Exception {
        DistributedTensor x = LocalSpark.broadloom().tensor(numbers(), chunks);
        DistributedTensor some = x.pick(x.amax(1).gt(0), Slice.of(0, 2));
        assertThat(some.shape().toArray()).containsExactly(5, 2);
        Bits.assertSame(
                some.collect(),
                numbers().slice(0, Slice.of(2, 7)).slice(1, Slice.of(0, 2)).contiguous());
        Bits.assertSame(x.maskedSelect(x.lt(-3)).collect(), Tensors.of(-6, -5, -4));
        DistributedTensor last = LocalSpark.broadloom().tensor(Tensors.of(false, false, true));
        Bits.assertSame(x.maskedSelect(last).collect(), Tensors.of(-4, -1, 2, 5, 8, 11, 14));
        Bits.assertSame(
                x.mul(x).eq(4).nonzero().collect(), Tensors.of(1L, 1L, 2L, 2L).view(2, 2));
        assertThat(x.gt(99).argwhere().shape().toArray()).containsExactly(0, 2);
        Bits.assertSame(
                LocalSpark.broadloom()
                        .eval("x[x % 5 == 4] + m", Map.of("x", x, "m", 1))
                        .collect(),
                Tensors.of(-5, 0, 5, 10, 15));
        try (Jobs jobs = Jobs.listen()) {
            x.pick(x.gt(0));
            assertThat(jobs.descriptions()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void integersAreCounted(int chunks) {
        DistributedTensor x = LocalSpark.broadloom().tensor(Tensors.of(2L, 0, 5, 2, 2, 0, 1), chunks);
        Bits.assertSame(x.bincount().collect(), Tensors.of(2L, 1, 3, 0, 0, 1));
        assertThat(x.bincount(9).shape().toArray()).containsExactly(9);
        Tensor weights = Tensors.of(0.5, 1, 2, 0.25, 0, 3, 4);
        Bits.assertSame(x.bincount(weights, 0).collect(), Tensors.of(4.0, 4, 0.75, 0, 0, 2));
        assertThatThrownBy(() -> x.sub(1).bincount())
                .hasMessage("bincount only supports 1-d non-negative integral inputs.");
        assertThatThrownBy(() -> x.bincount(Tensors.of(1f), 0))
                .hasMessage("weights should be 1-d and have the same length as input");
    }

    /** The text is remembered, what a mask counted in another tensor is not. */
    @Test
    void aTextCountsEachTimeAnew() {
        for (int least : new int[] {0, 5, 13}) {
            LazyTensor x = LazyTensor.of(numbers()).sub(least);
            assertThat(LazyTensor.eval("x[x > 0]", Map.of("x", x)).shape().numel())
                    .isEqualTo(14 - least);
        }
        LazyTensor scalar = LazyTensor.of(Tensors.scalar(5f));
        assertThat(scalar.nonzero().shape().toArray()).containsExactly(1, 0);
        assertThat(scalar.maskedSelect(false).shape().toArray()).containsExactly(0);
        assertThatThrownBy(() -> scalar.maskedSelect(Tensors.of(1f)))
                .hasMessage("masked_select: expected BoolTensor for mask");
    }
}
