package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's function over the chunks of a tensor. */
class MapBlocksTest {
    private final Broadloom broadloom = LocalSpark.broadloom();

    private static Tensor values() {
        return Tensors.arange(0, 42, 1, DType.FLOAT32).view(7, 6);
    }

    private static Tensor sumOfSquares(Tensor rows) {
        return LazyTensor.of(rows).square().sum(1).to(DType.INT64).compute();
    }

    /** What it was given, written over. */
    private static Tensor negated(Tensor rows) {
        return rows.copy_(LazyTensor.of(rows).neg().compute());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theFunctionGetsWholeRows(int chunks) {
        DistributedTensor x = broadloom.tensor(values(), chunks);
        Tensor expected =
                LazyTensor.of(values()).square().sum(1).to(DType.INT64).compute();
        DistributedTensor sums = x.mapBlocks(MapBlocksTest::sumOfSquares, DType.INT64);
        Bits.assertSame(sums.collect(), expected);
        Bits.assertSame(
                sums.add(1).sum().collect(),
                LazyTensor.of(expected).add(1).sum().compute());
        Bits.assertSame(
                x.rechunk(-1, 2)
                        .mapBlocks(MapBlocksTest::sumOfSquares, DType.INT64)
                        .collect(),
                expected);
        Bits.assertSame(
                x.permute(1, 0).mapBlocks(rows -> rows, DType.FLOAT32, 7).collect(),
                values().permute(1, 0).copy());
        Bits.assertSame(
                x.mapBlocks(rows -> rows.narrow(1, 2, 3), DType.FLOAT32, 3).collect(),
                values().narrow(1, 2, 3).copy());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void whatIsKeptStaysAsItIs(int chunks) {
        DistributedTensor x = broadloom.tensor(values(), chunks).add(1).materialize();
        Tensor expected = LazyTensor.of(values()).add(1).neg().compute();
        DistributedTensor negated = x.mapBlocks(MapBlocksTest::negated, DType.FLOAT32, 6);
        Bits.assertSame(negated.collect(), expected);
        Bits.assertSame(negated.collect(), expected);
        Bits.assertSame(x.collect(), LazyTensor.of(values()).add(1).compute());
        Bits.assertSame(negated.materialize().collect(), expected);
        Bits.assertSame(negated.unpersist().collect(), expected);
        Bits.assertSame(negated.localCheckpoint().collect(), expected);
        negated.unpersist();
        DistributedTensor anew = x.mapBlocks(MapBlocksTest::negated, DType.FLOAT32, 6);
        Bits.assertSame(anew.localCheckpoint().collect(), expected);
        Bits.assertSame(anew.unpersist().add(0).collect(), expected);
        x.unpersist();
        Tensor values = values();
        DistributedTensor local = broadloom.tensor(values, chunks);
        Bits.assertSame(
                local.mapBlocks(MapBlocksTest::negated, DType.FLOAT32, 6).collect(),
                LazyTensor.of(values()).neg().compute());
        Bits.assertSame(values, values());
    }

    @Test
    void anotherShapeThanDeclaredIsRefused() {
        DistributedTensor x = broadloom.tensor(values(), 2);
        assertThatThrownBy(() -> x.mapBlocks(rows -> rows.narrow(0, 0, 3), DType.FLOAT32, 6)
                        .collect())
                .hasMessageContaining("Cannot map chunk 0 of tensor, the rows from 0 to before 4: the function gave"
                        + " float32 [3, 6], and float32 [4, 6] was declared");
        assertThatThrownBy(() -> broadloom
                        .tensor(values(), 1)
                        .mapBlocks(MapBlocksTest::sumOfSquares, DType.INT32)
                        .collect())
                .hasMessageContaining("the function gave int64 [7], and int32 [7] was declared");
        assertThatThrownBy(() -> broadloom.tensor(Tensors.scalar(1)).mapBlocks(rows -> rows, DType.INT64))
                .hasMessage("Cannot map the chunks of a tensor without a dimension; unsqueeze(0) it first");
        assertThat(x.mapBlocks(MapBlocksTest::sumOfSquares, DType.INT64).explain())
                .contains("mapped");
    }
}
