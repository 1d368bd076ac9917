package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loops of fused expressions at the edges of tiles, layouts and programs; {@code ExprPropertyTest} has the random
 * ones.
 */
class FusionTest {
    private static final CpuBackend BACKEND = new CpuBackend();

    @ParameterizedTest
    @ValueSource(ints = {2047, 2048, 2049, 4096, 4097, 10_000})
    void rowsAroundTheLengthOfATileAreWhole(int length) {
        Tensor x = Tensors.arange(3L * length).view(3, length);
        Tensor bias = Tensors.arange(length);
        Tensor got = BACKEND.evaluate(Expr.apply(Op.of("add"), Input.of(x), Input.of(bias)));
        long[] values = got.toLongArray();
        for (int i = 0; i < values.length; i++) {
            assertThat(values[i]).isEqualTo(i + i % length);
        }
    }

    @Test
    void aLargeTransposedOperandIsReadRight() {
        Tensor x = Tensors.arange(300L * 70).view(300, 70);
        Tensor got = BACKEND.evaluate(Expr.apply(Op.of("neg"), Input.of(x.t())));
        for (int i = 0; i < 70; i++) {
            for (int j = 0; j < 300; j++) {
                assertThat(got.getLong(i, j)).isEqualTo(-(j * 70L + i));
            }
        }
    }

    @Test
    void aProgramOfThousandsOfStepsKeepsItsValue() {
        Tensor x = Tensors.arange(5000).to(DType.FLOAT64);
        Expr expr = Input.of(x);
        for (int i = 0; i < 3000; i++) {
            expr = Expr.apply(Op.of(i % 2 == 0 ? "add" : "mul"), expr, Expr.literal(i % 2 == 0 ? 1.0 : 0.5));
        }
        double[] got = BACKEND.evaluate(expr).toDoubleArray();
        for (int k = 0; k < got.length; k += 997) {
            double value = k;
            for (int i = 0; i < 3000; i++) {
                value = i % 2 == 0 ? value + 1.0 : value * 0.5;
            }
            assertThat(got[k]).isEqualTo(value);
        }
    }

    @Test
    void aTensorMayBeItsOwnOperand() {
        Tensor x = Tensors.arange(10).view(2, 5);
        Expr row = Input.of(x.select(0, 1));
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("mul"), Input.of(x), row)).toLongArray())
                .containsExactly(0, 6, 14, 24, 36, 25, 36, 49, 64, 81);
    }

    @Test
    void aLiteralAloneIsAScalar() {
        assertThat(BACKEND.evaluate(Expr.literal(2.5)).item()).isEqualTo(2.5);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "FLOAT32", "FLOAT64"})
    void aPlainZeroKeepsItsSign(DType dtype) {
        Expr x = Input.of(Tensors.copyOf(new double[] {-0.0, 0.0, 1.0}).to(dtype));
        Expr negativeZero = Expr.literal(-0.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("add"), x, negativeZero)).values())
                .containsExactly(-0.0, 0.0, 1.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("add"), x, Expr.literal(0.0)))
                        .values())
                .containsExactly(0.0, 0.0, 1.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("mul"), x, negativeZero)).values())
                .containsExactly(0.0, -0.0, -0.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("copysign"), x, negativeZero))
                        .values())
                .containsExactly(-0.0, -0.0, -1.0);
    }

    /** The kernels convert by generated text, {@code Tensor.to} by loops of its own. */
    @ParameterizedTest
    @EnumSource
    void aConversionInAKernelIsThatOfATensor(DType from) {
        double[] numbers = {0, -0.0, 0.4, -0.6, 1, 2.5, 127, 128, 255.9, 256, -1, -129, 65504, 65520, 1e10, 1e-8, 1e38};
        Tensor x = from == DType.BOOL
                ? Tensors.of(true, false)
                : Tensors.copyOf(numbers).to(from);
        for (DType to : DType.values()) {
            Tensor got = BACKEND.evaluate(Expr.cast(Input.of(x), to));
            assertThat(got.dtype()).isEqualTo(to);
            assertThat(got.values()).as("%s to %s", from, to).isEqualTo(x.to(to).values());
        }
    }

    @Test
    void aTrueIsStoredAsOne() {
        Expr x = Input.of(Tensors.of(-3f, 0f, 0.25f));
        Tensor truth = BACKEND.evaluate(Expr.apply(Op.of("ne"), x, Expr.literal(0)));
        byte[] stored = new byte[3];
        RawMemory.copy(truth.address(), stored, 0, 3);
        assertThat(stored).containsExactly(1, 0, 1);
    }

    @Test
    void theResultOfAnInputIsACopy() {
        Tensor x = Tensors.of(1f, 2f);
        Tensor got = BACKEND.evaluate(Input.of(x));
        x.set(9.0, 0);
        assertThat(got.toFloatArray()).containsExactly(1f, 2f);
    }

    @Test
    void anInputWithoutATensorIsNamed() {
        Expr expr = Input.of("far away", DType.FLOAT32, Shape.of(2));
        assertThatThrownBy(() -> BACKEND.evaluate(Expr.apply(Op.of("neg"), expr)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no local tensor");
    }

    @Test
    void anExponentKeepsItsDoublePrecisionToAFloat32Base() {
        Expr base = Input.of(Tensors.of(10f, 0f));
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("pow"), base, Expr.literal(2.344)))
                        .values())
                .containsExactly((double) (float) Math.pow(10, 2.344), 0.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("pow"), base, Expr.literal(1e-300)))
                        .values())
                .containsExactly(1.0, 0.0);
    }

    @Test
    void aNumberOfAFloat16SumIsRoundedAndOneOfAProductIsNot() {
        Expr half = Input.of(Tensors.copyOf(new double[] {-68.5625, 65504}).to(DType.FLOAT16));
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("sub"), half, Expr.literal(-2.344)))
                        .values())
                .containsExactly(-66.25, 65504.0);
        assertThat(BACKEND.evaluate(Expr.apply(Op.of("mul"), Expr.literal(1e-5), half))
                        .get(1))
                .isEqualTo(0.6552734375);
    }

    @Test
    void partialsNeedTheLeadingDimension() {
        Reduce inner = (Reduce) Expr.reduce(Reduction.SUM, Input.of(Tensors.ones(2, 3)), KeepDim.DROP, 1);
        assertThatThrownBy(() -> BACKEND.partials(inner, 0)).hasMessageContaining("keeps dimension 0");
    }
}
