package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of chunks goes round, without the help of the garbage collector. */
class RecyclingTest {
    private static final long ROWS = 64;
    private static final long COLUMNS = 65_536;
    private static final long BYTES = ROWS * COLUMNS * 4;

    private static Map<String, DistributedTensor> operands(Broadloom broadloom, int chunks) {
        Map<String, DistributedTensor> operands = new LinkedHashMap<>();
        operands.put("x", broadloom.tensor(Tensors.ones(ROWS, COLUMNS), chunks).materialize());
        operands.put("m", broadloom.tensor(Tensors.scalar(0.5f)));
        return operands;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void aRepeatedEvaluationOverCachedChunksTakesNoFreshPages(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom();
        Map<String, DistributedTensor> operands = operands(broadloom, chunks);
        for (int i = 0; i < 3; i++) {
            broadloom.eval("x - m", operands).materialize().unpersist();
        }
        MemoryFigures before = Memory.figures();
        for (int i = 0; i < 5; i++) {
            broadloom.eval("x - m", operands).materialize().unpersist();
        }
        MemoryFigures after = Memory.figures();
        assertThat(after.misses()).isEqualTo(before.misses());
        assertThat(after.hits()).isEqualTo(before.hits() + 5L * chunks);
        operands.values().forEach(DistributedTensor::unpersist);
    }

    @Test
    void droppedChunksAreFreedAtOnce() {
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor x = Tensors.ones(ROWS, COLUMNS);
        DistributedTensor y = broadloom.tensor(x, 4).add(1).materialize();
        long held = Memory.allocatedBytes();
        y.unpersist();
        assertThat(Memory.allocatedBytes()).isLessThanOrEqualTo(held - BYTES);
        assertThat(x.getDouble(ROWS - 1, COLUMNS - 1)).isEqualTo(1);
        x.release();
    }

    @Test
    void theTensorThatChunksWereCutFromIsNobodyElsesToFree() {
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor x = Tensors.ones(ROWS, 10);
        broadloom.tensor(x, 4).materialize().unpersist();
        assertThat(x.storage().isReleased()).isFalse();
        assertThat(x.getDouble(ROWS - 1, 9)).isEqualTo(1);
        x.release();
    }

    @Test
    void chunksOfAnotherTensorsChunksOutliveThem() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x = broadloom.tensor(Tensors.ones(ROWS, 10), 4).add(1).materialize();
        // The same elements in other cuts, and the same elements alone.
        DistributedTensor same = broadloom.eval("x", Map.of("x", x)).materialize();
        DistributedTensor wide = x.expand(3, ROWS, 10).materialize();
        DistributedTensor sum = x.add(0).materialize();
        x.unpersist();
        assertThat(sum.amax().collect().item()).isEqualTo(2.0);
        assertThat(wide.amin().collect().item()).isEqualTo(2.0);
        assertThat(same.amin().collect().item()).isEqualTo(2.0);
        sum.unpersist();
        wide.unpersist();
        same.unpersist();
    }
}
