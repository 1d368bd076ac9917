package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The distinct values of a tensor that stays on the cluster are those of the local one, as are their counts and which of them each element is. */
class DistinctTest {
    private static Tensor numbers(DType dtype) {
        double[] values = new Random(dtype.ordinal())
                .doubles(301 * 2)
                .map(each -> Math.rint(each * 40))
                .toArray();
        for (int i = 0; i < values.length && dtype.isFloatingPoint(); i += 50) {
            values[i] = List.of(-0.0, Double.NaN, Double.NEGATIVE_INFINITY).get(i / 50 % 3);
        }
        return LazyTensor.of(Tensors.copyOf(values, 301, 2)).to(dtype).compute();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT16", "INT64", "BOOL"})
    void valuesCountsAndPlaces(DType dtype) {
        Tensor x = numbers(dtype);
        UniqueValues expected = LazyTensor.of(x).unique();
        DistributedTensor cut =
                LocalSpark.broadloom().withChunkBytes(256).tensor(x, 7).to(dtype);
        DistributedUnique unique = cut.distinct();
        Bits.assertSame(unique.values().collect(), expected.values());
        Bits.assertSame(unique.counts().collect(), expected.counts());
        Bits.assertSame(unique.inverse().collect(), expected.inverse());
        Bits.assertSame(cut.inverse(cut.unique()).collect(), expected.inverse());
    }

    /** {@code order.jsonl} holds PyTorch's; here there are many slices to a chunk, of which some hold a NaN, and each of those is one by itself. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "7, 0", "7, 1"})
    void slicesAlongADimension(int chunks, int dim) {
        Tensor x = numbers(DType.FLOAT32);
        UniqueValues expected = LazyTensor.of(x).unique(dim);
        assertThat(expected.counts().numel()).isBetween(2L, 300L);
        UniqueValues unique =
                LocalSpark.broadloom().tensor(x, chunks).to(DType.FLOAT32).unique(dim);
        Bits.assertSame(unique.values(), expected.values());
        Bits.assertSame(unique.counts(), expected.counts());
        Bits.assertSame(unique.inverse(), expected.inverse());
    }

    @Test
    void slicesWithoutElementsAreRefusedAndNoSlicesAreNone() {
        DistributedTensor x = LocalSpark.broadloom().tensor(Tensors.zeros(0, 3), 1);
        assertThatThrownBy(() -> x.unique(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
        UniqueValues none = x.unique(0);
        assertThat(none.values().shape().toArray()).containsExactly(0, 3);
        assertThat(none.inverse().numel()).isZero();
    }

    @Test
    void ofNothingAndOfOneThereIsNothingAndOne() {
        DistributedUnique none =
                LocalSpark.broadloom().tensor(Tensors.zeros(0, 3), 1).distinct();
        assertThat(none.values().shape().size(0)).isZero();
        assertThat(none.counts().collect().numel()).isZero();
        assertThat(none.inverse().collect().shape())
                .isEqualTo(Tensors.zeros(0, 3).shape());
        DistributedUnique one =
                LocalSpark.broadloom().tensor(Tensors.of(Double.NaN), 1).distinct();
        assertThat(one.counts().collect().values()).containsExactly(1L);
        assertThat(one.inverse().collect().values()).containsExactly(0L);
    }
}
