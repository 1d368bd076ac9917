package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.UniqueValues.Inverse;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Distinct values, by a sorted map of them; {@code order.jsonl} holds PyTorch's results. */
class UniqueTest {
    private static Tensor remainders(int count, int divisor) {
        return LazyTensor.of(Tensors.arange(count)).mul(7919).remainder(divisor).compute();
    }

    @Test
    void valuesAreCountedAndEachElementIsOneOfThem() {
        Tensor x = remainders(5000, 77).reshape(50, 100);
        UniqueValues unique = LazyTensor.of(x).unique();
        TreeMap<Object, Long> counted = x.values().stream()
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        assertThat(unique.values().values()).isEqualTo(List.copyOf(counted.keySet()));
        assertThat(unique.counts().values()).isEqualTo(List.copyOf(counted.values()));
        assertThat(unique.inverse().shape()).isEqualTo(x.shape());
        List<Object> values = unique.values().values();
        assertThat(unique.inverse().values().stream().map(place -> values.get(((Long) place).intValue())))
                .isEqualTo(x.values());
    }

    @Test
    void ofViewsAndOfWhatIsComputed() {
        Tensor x = remainders(60, 5).reshape(6, 10);
        assertThat(LazyTensor.of(x.permute(1, 0).narrow(0, 0, 1))
                        .unique()
                        .values()
                        .values())
                .isEqualTo(
                        x.narrow(1, 0, 1).values().stream().distinct().sorted().toList());
        assertThat(LazyTensor.of(x).mul(-2).unique(Inverse.WITHOUT).values().values())
                .containsExactly(-8L, -6L, -4L, -2L, 0L);
        assertThat(x.values()).hasSize(60);
    }

    @Test
    void partsHaveTogetherWhatTheWholeHas() {
        Tensor x = LazyTensor.of(Tensors.copyOf(new double[] {0.0, Double.NaN, 2, -0.0, Double.NaN, 2, 1}, 7))
                .to(DType.BFLOAT16)
                .compute();
        UniqueValues merged = UniqueValues.merged(
                UniqueValues.of(x.narrow(0, 3, 4), Inverse.WITHOUT, 1),
                UniqueValues.of(x.narrow(0, 0, 3), Inverse.WITHOUT, 1));
        UniqueValues whole = LazyTensor.of(x).unique();
        assertThat(merged.values().values()).isEqualTo(whole.values().values());
        assertThat(merged.values().values()).isEqualTo(List.of(0.0, 1.0, 2.0, Double.NaN, Double.NaN));
        assertThat(merged.counts().values()).isEqualTo(List.of(2L, 1L, 2L, 1L, 1L));
        assertThat(whole.counts().values()).isEqualTo(merged.counts().values());
        assertThatThrownBy(merged::inverse)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Cannot tell which of the unique values each element is");
    }

    /** Slices that hold a NaN are each by itself, as its elements are. */
    @Test
    void slicesAlongADimension() {
        Tensor x = Tensors.copyOf(new double[] {1, 2, 0, 5, 1, 2, 0, Double.NaN, 0, Double.NaN}, 5, 2);
        UniqueValues unique = LazyTensor.of(x).unique(0);
        assertThat(unique.values().values()).isEqualTo(List.of(0.0, 5.0, 0.0, Double.NaN, 0.0, Double.NaN, 1.0, 2.0));
        assertThat(unique.counts().values()).isEqualTo(List.of(1L, 1L, 1L, 2L));
        assertThat(unique.inverse().values()).isEqualTo(List.of(3L, 0L, 3L, 1L, 2L));
        UniqueValues columns = LazyTensor.of(x.permute(1, 0)).unique(-1);
        assertThat(columns.values().shape().toArray()).containsExactly(2, 4);
        assertThat(columns.values().permute(1, 0).values())
                .isEqualTo(unique.values().values());
    }

    @Test
    void aPlainNumberIsOneValue() {
        LazyTensor number = LazyTensor.eval("2 + 3", Map.of());
        assertThat(number.unique().values().values()).containsExactly(5L);
        assertThat(number.unique().inverse().shape().rank()).isZero();
    }
}
