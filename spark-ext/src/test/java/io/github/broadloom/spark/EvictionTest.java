package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More is cached than tensors may take, where Spark's storage memory has room for all of it. */
class EvictionTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int ROWS = 96;
    private static final int WIDTH = 1 << 18;

    @AfterEach
    void giveMemoryBack() {
        LocalSpark.stop();
        Memory.suggest(Memory.usualLimitBytes(), Memory.usualLimitBytes() / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MEMORY_ONLY", "MEMORY_AND_DISK"})
    @Tag("full")
    void chunksThatNobodyReadsGiveWayBeforeMemoryEnds(String level) {
        LocalSpark.stop();
        SparkSession session = LocalSpark.session();
        Broadloom broadloom = Broadloom.on(session).withChunkBytes(8 * MEBIBYTE);
        assertThat(Memory.limitBytes()).isEqualTo(Memory.usualLimitBytes()); // told by the session that began
        Memory.suggest(64 * MEBIBYTE, 32 * MEBIBYTE);
        Tensor rows = Tensors.arange(0, ROWS, 1).to(DType.FLOAT32).reshape(ROWS, 1);
        DistributedTensor cached =
                broadloom.tensor(rows).add(Tensors.zeros(1, WIDTH)).cache(StorageLevel.fromString(level));
        cached.materialize();
        for (int i = 1; i <= 2; i++) {
            double factor = (double) i * WIDTH; // sums of small whole numbers are exact
            assertThat(cached.mul(i).sum(1).collect().to(DType.FLOAT64).toDoubleArray())
                    .containsExactly(IntStream.range(0, ROWS)
                            .mapToDouble(row -> row * factor)
                            .toArray());
        }
        MemoryFigures figures = Memory.figures();
        assertThat(figures.limitBytes()).isEqualTo(64 * MEBIBYTE);
        assertThat(figures.heldBytes() + figures.pooledBytes()).isLessThanOrEqualTo(64 * MEBIBYTE);
        cached.unpersist();
    }
}
