package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.fluent.Generator;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors that are made, not read. */
class CreationTest {
    private static final Shape SHAPE = Shape.of(7, 6);

    /** One that cuts float32 {@code [7, 6]} into so many chunks. */
    private static Broadloom broadloom(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(chunks == 1 ? 1 << 20 : chunks == 2 ? 96 : 24);
        assertThat(broadloom.random(1).rand(7, 6).chunks()).isEqualTo(chunks);
        return broadloom;
    }

    private static <T extends TensorOps<T>> List<T> drawn(Generator<T> generator) {
        List<T> all = new ArrayList<>(List.of(
                generator.rand(7, 6),
                generator.rand(7, 6), // of another stream
                generator.randn(SHAPE, DType.FLOAT64),
                generator.normal(3, 0.1, SHAPE, DType.BFLOAT16),
                generator.randint(-4, 9, SHAPE, DType.INT8),
                generator.randint(0, 1L << 62, 7, 6),
                generator.bernoulli(0.3, SHAPE, DType.BOOL),
                generator.permutation(42),
                generator.rand()));
        all.add(generator.bernoulli(all.get(0)));
        all.add(generator.dropout(all.get(1), 0.4));
        all.add(all.get(0).permute(1, 0).narrow(0, 1, 4));
        all.add(all.get(0).select(1, 2));
        all.add(all.get(0).sum(0));
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void randomNumbersHaveTheBitsOfTheLocalOnes(int chunks) {
        List<LazyTensor> local = drawn(LazyTensor.random(11));
        List<DistributedTensor> distributed = drawn(broadloom(chunks).random(11));
        for (int i = 0; i < local.size(); i++) {
            Bits.assertSame(distributed.get(i).collect(), local.get(i).compute());
        }
        assertThat(local.get(0).compute().values())
                .isNotEqualTo(local.get(1).compute().values());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void whatIsNotRandomIsWhatTensorsMakes(int chunks) {
        Broadloom broadloom = broadloom(chunks);
        Bits.assertSame(broadloom.zeros(7, 6).collect(), Tensors.zeros(7, 6));
        Bits.assertSame(broadloom.ones(SHAPE, DType.BOOL).collect(), Tensors.ones(SHAPE, DType.BOOL));
        Bits.assertSame(broadloom.full(SHAPE, 1.5).add(1).collect(), Tensors.full(SHAPE, 2.5));
        Bits.assertSame(broadloom.full(Shape.SCALAR, 3).collect(), Tensors.scalar(3));
        Bits.assertSame(broadloom.arange(5, -37, -1).collect(), Tensors.arange(5, -37, -1));
        Bits.assertSame(broadloom.arange(0.5, 9, 0.25).collect(), Tensors.arange(0.5, 9, 0.25));
        Bits.assertSame(
                broadloom.linspace(-3, 7, 42, DType.FLOAT16).collect(), Tensors.linspace(-3, 7, 42, DType.FLOAT16));
        Bits.assertSame(broadloom.eye(7).collect(), Tensors.eye(7));
        Bits.assertSame(broadloom.eye(3, 7, DType.INT16).collect(), Tensors.eye(3, 7, DType.INT16));
        assertThat(broadloom.arange(0).collect().numel()).isZero();
    }

    @Test
    void nothingIsMadeThatNobodyAsksFor() {
        Broadloom broadloom = LocalSpark.broadloom();
        long trillion = 1_000_000_000_000L;
        assertThat(broadloom
                        .arange(trillion)
                        .slice(0, Slice.from(trillion - 2))
                        .collect()
                        .toLongArray())
                .containsExactly(trillion - 2, trillion - 1);
        DistributedTensor wide = broadloom.random(1).randn(trillion, 1000);
        Bits.assertSame(
                wide.select(0, trillion - 1).narrow(0, 3, 2).collect(),
                wide.narrow(0, trillion - 2, 2)
                        .collect()
                        .select(0, 1)
                        .narrow(0, 3, 2)
                        .copy());
        assertThat(broadloom
                        .zeros(trillion, 1000)
                        .narrow(0, 5, 1)
                        .sum()
                        .collect()
                        .item())
                .isEqualTo(0.0);
        assertThat(wide.narrow(0, 0, 1 << 20).add(1).explain()).contains("made", "each task makes its own");
    }

    @Test
    void droppedElementsAreZeroAndTheOthersLarger() {
        Generator<DistributedTensor> generator = LocalSpark.broadloom().random(3);
        DistributedTensor ones = LocalSpark.broadloom().ones(100, 100);
        float[] dropped = generator.dropout(ones, 0.2).flatten().collect().toFloatArray();
        int zeros = 0;
        for (float value : dropped) {
            assertThat(value).isIn(0f, 1.25f);
            zeros += value == 0 ? 1 : 0;
        }
        assertThat(zeros).isCloseTo(2000, within((int) (5 * Math.sqrt(10_000 * 0.2 * 0.8))));
        Bits.assertSame(generator.dropout(ones, 0).collect(), Tensors.ones(100, 100));
        Bits.assertSame(generator.dropout(ones, 1).collect(), Tensors.zeros(100, 100));
        Tensor probabilities = Tensors.of(0f, 1f, -1f, 2f, Float.NaN);
        assertThat(generator
                        .bernoulli(LocalSpark.broadloom().tensor(probabilities))
                        .collect()
                        .toFloatArray())
                .containsExactly(0, 1, 0, 1, 0);
        assertThatThrownBy(() -> generator.dropout(ones, 1.5))
                .hasMessage("dropout probability has to be between 0 and 1, but got 1.5");
        assertThatThrownBy(() -> generator.dropout(ones.to(DType.INT64), 0.5))
                .hasMessage("result type Float can't be cast to the desired output type Long");
        assertThatThrownBy(() -> generator.bernoulli(ones.to(DType.BOOL)))
                .hasMessage("\"bernoulli_tensor_cpu_p_\" not implemented for 'Bool'");
    }

    @Test
    void aPermutationHasEachIntegerOnce() {
        long[] order = LazyTensor.random(5).permutation(1000).compute().toLongArray();
        assertThat(order).isNotEqualTo(Tensors.arange(1000).toLongArray());
        Arrays.sort(order);
        assertThat(order).isEqualTo(Tensors.arange(1000).toLongArray());
        assertThatThrownBy(() -> LazyTensor.random(5).permutation(-1))
                .hasMessage("Trying to create tensor with negative dimension -1: [-1]");
    }
}
