package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A repeated evaluation costs its arithmetic: no fresh pages, and hardly any garbage. */
class SteadyStateTest {
    private static final int CALLS = 10;
    private static final long MEBIBYTE = 1 << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What all living threads have allocated on the heap so far. */
    private static long garbageBytes() {
        long[] bytes = THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds());
        return Arrays.stream(bytes).filter(count -> count > 0).sum();
    }

    private static void normalise(Map<String, Tensor> operands) {
        LazyTensor.eval("(x - mean) * inv", operands).compute().release();
    }

    @Test
    void aRepeatedNormalisationTakesNoFreshPagesAndLeavesLessThanAMebibyteOfGarbage() {
        Map<String, Tensor> operands = Map.of(
                "x", Tensors.full(Shape.of(32, 3, 224, 224), 1.5, DType.FLOAT32),
                "mean", Tensors.of(0.5f, 0.25f, 0.125f).view(3, 1, 1),
                "inv", Tensors.of(2f, 3f, 4f).view(3, 1, 1));
        for (int i = 0; i < CALLS; i++) {
            normalise(operands);
        }
        MemoryFigures before = Memory.figures();
        long garbageBefore = garbageBytes();
        for (int i = 0; i < CALLS; i++) {
            normalise(operands);
        }
        long garbage = garbageBytes() - garbageBefore;
        MemoryFigures after = Memory.figures();
        assertThat(after.misses()).isEqualTo(before.misses());
        assertThat(after.freshBytes()).isEqualTo(before.freshBytes());
        assertThat(after.hits()).isEqualTo(before.hits() + CALLS);
        assertThat(garbage).isBetween(1L, CALLS * MEBIBYTE);
    }
}
