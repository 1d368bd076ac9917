package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.KernelRunner;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An integer divided by zero sets the error flag, and nothing else does. */
@WithFakeGpu
class ZeroDivisionTest {
    private static final int SIZE = 1029; // one behind the last packet of four, in the second tile

    private KernelRunner runner;

    @BeforeEach
    void open() {
        runner = new KernelRunner();
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private boolean fails(String op, DType dtype, Tensor divisors) {
        Tensor dividends = Tensors.ones(divisors.shape(), dtype);
        Expr expr = Expr.apply(Op.of(op), Input.of(dividends), Input.of(divisors));
        Layout output = Layout.contiguous(expr.shape());
        return GeneratedKernel.of(expr, output, 0, GeneratedKernel.NO_LIMIT)
                .outcome(runner)
                .error();
    }

    private static Tensor divisors(DType dtype, long zeroAt) {
        Tensor divisors = Tensors.ones(Shape.of(SIZE), dtype);
        divisors.set(0L, zeroAt);
        return divisors;
    }

    @ParameterizedTest
    @ValueSource(strings = {"floor_divide", "div_trunc", "remainder", "fmod"})
    void aZeroInAnyTileAndAmongTheLastElementsIsSeen(String op) {
        for (DType dtype : new DType[] {DType.INT32, DType.INT64, DType.UINT8, DType.INT8, DType.INT16}) {
            for (long zeroAt : new long[] {0, 500, 1024, SIZE - 1}) {
                assertThat(fails(op, dtype, divisors(dtype, zeroAt)))
                        .as("%s of %s at %s", op, dtype, zeroAt)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"floor_divide", "div_trunc", "remainder", "fmod"})
    void nothingElseIs(String op) {
        assertThat(fails(op, DType.INT32, Tensors.ones(Shape.of(SIZE), DType.INT32)))
                .isFalse();
        assertThat(fails(op, DType.FLOAT32, divisors(DType.FLOAT32, 3))).isFalse();
    }

    @Test
    void zerosThatNoElementReadsAreNone() {
        Tensor divisors = Tensors.ones(Shape.of(40, 40), DType.INT32);
        for (long row = 0; row < 40; row++) {
            divisors.set(0L, row, 39);
        }
        assertThat(fails("floor_divide", DType.INT32, divisors.narrow(1, 0, 39)))
                .isFalse();
        assertThat(fails("floor_divide", DType.INT32, divisors.narrow(1, 0, 39).t()))
                .isFalse();
        assertThat(fails("floor_divide", DType.INT32, divisors)).isTrue();
    }
}
