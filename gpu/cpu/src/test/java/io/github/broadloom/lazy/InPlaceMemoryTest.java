package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.function.Consumer;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

/** In-place operations allocate nothing as large as the target where it is safe to write straight into it. */
class InPlaceMemoryTest {
    private static final int ROWS = 1003;

    /**
     * Some megabytes of float32; each test has a size of its own, so that no other one leaves a buffer for it in the
     * pool.
     */
    private static Tensor matrix(int columns) {
        return Tensors.zeros(Shape.of(ROWS, columns), DType.FLOAT32);
    }

    /** Runs with half a megabyte to spare, where a buffer of the target's size would take several. */
    private static void within(Tensor target, Consumer<LazyTensor> operation) {
        long limit = Memory.limitBytes();
        try {
            Memory.trim(); // what stays in the pool are gaps that are too small
            MemoryFigures figures = Memory.figures();
            Memory.suggest(figures.heldBytes() + figures.pooledBytes() + (1 << 19), 0);
            operation.accept(LazyTensor.of(target));
        } finally {
            Memory.suggest(limit, limit / 2);
        }
    }

    @Test
    void theWholeIsWrittenInPlace() {
        Tensor x = matrix(1801);
        Tensor row = Tensors.ones(1801);
        within(x, handle -> handle.add_(row).mul_(handle).add_(handle).exp_().sub_(handle.mul(2)));
        assertThat(x.getDouble(ROWS - 1, 1800)).isEqualTo(-(double) (float) Math.exp(2));
        row.storage().release();
        x.storage().release();
    }

    @Test
    void viewsThatDoNotMeetAreWrittenInPlace() {
        Tensor x = matrix(2201);
        within(x.slice(1, 0L, null, 2), handle -> handle.add_(1));
        within(x.slice(1, 1L, null, 2), handle -> handle.add_(x.slice(1, 0L, -1L, 2)));
        within(x.t(), handle -> handle.add_(1).add_(Tensors.ones(1)));
        within(x.index(Slice.of(0, 500)), handle -> handle.copy_(x.index(Slice.of(500, 1000))));
        assertThat(x.getDouble(3, 7)).isEqualTo(3);
        assertThat(x.getDouble(1002, 1800)).isEqualTo(3);
        x.storage().release();
    }

    @Test
    void aSmallOperandInsideTheTargetIsCopiedAndNotTheResult() {
        Tensor x = matrix(2701);
        x.select(0, 5).fill_(2);
        within(x, handle -> handle.add_(x.select(0, 5)));
        assertThat(x.getDouble(5, 0)).isEqualTo(4);
        assertThat(x.getDouble(6, 0)).isEqualTo(2);
        x.storage().release();
    }

    @Test
    void whereTheOperandsCrossACopyIsTaken() {
        Tensor x = matrix(3301);
        assertThatThrownBy(() -> within(x.index(Slice.from(1)), handle -> handle.add_(x.index(Slice.of(0, ROWS - 1)))))
                .isInstanceOf(OutOfMemoryException.class);
        assertThat(x.getDouble(ROWS - 1, 0)).isZero();
        x.storage().release();
    }

    @Test
    void aTargetOfAnyStridesIsWrittenAsIfComputedApart() {
        for (DType dtype : DType.values()) {
            Tensor whole = Tensors.arange(0, 3 * 40 * 5, 1, dtype == DType.BOOL ? DType.UINT8 : dtype)
                    .view(3, 40, 5)
                    .to(dtype);
            Tensor target = whole.permute(2, 0, 1).slice(2, 1L, null, 3);
            Tensor other = Tensors.arange(0, 13, 1, DType.INT8).to(dtype);
            Tensor expected = LazyTensor.of(target.copy()).mul(other).compute();
            Tensor rest = whole.slice(1, 0L, null, 3).copy();
            LazyTensor.of(target).mul_(other);
            assertThat(target.values()).as("%s", dtype).isEqualTo(expected.values());
            assertThat(whole.slice(1, 0L, null, 3).values()).isEqualTo(rest.values());
        }
    }
}
