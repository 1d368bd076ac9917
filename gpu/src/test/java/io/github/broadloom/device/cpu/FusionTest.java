package io.github.broadloom.device.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fused expression is, bit for bit, what its operations give one after the other. */
class FusionTest {
    private static final CpuBackend BACKEND = new CpuBackend();

    static IntStream seeds() {
        return IntStream.range(0, 400);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fusedIsTheSameAsOneOperationAtATime(int seed) {
        Expr expr = expression(new RandomTensors(seed));
        Tensor fused = BACKEND.evaluate(expr);
        Tensor stepwise = stepwise(expr);
        assertThat(fused.shape()).isEqualTo(stepwise.shape()).isEqualTo(expr.shape());
        assertThat(fused.dtype()).isEqualTo(stepwise.dtype());
        assertThat(fused.isContiguous()).isTrue();
        assertThat(fused.values()).as(expr.toString()).isEqualTo(stepwise.values());
    }

    /** Grows a graph over a few views, nodes shared, with reductions in between. */
    private static Expr expression(RandomTensors from) {
        Shape shape = from.shape(from.below(10) == 0 ? 8 : 4);
        List<Expr> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Shape part = i == 0 ? shape : from.broadcastInto(shape);
            nodes.add(Input.of(from.tensor(from.dtype(), part)));
        }
        int wanted = nodes.size() + 1 + from.below(12);
        for (int tries = 0; nodes.size() < wanted && tries < 200; tries++) {
            try {
                nodes.add(grow(from, nodes));
            } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
                // PyTorch has no such operation on these dtypes or sizes: another one
                continue;
            }
        }
        return nodes.get(nodes.size() - 1);
    }

    private static Expr grow(RandomTensors from, List<Expr> nodes) {
        Expr pick = nodes.get(from.below(nodes.size()));
        int kind = from.below(12);
        if (kind == 0) {
            return Expr.cast(pick, from.dtype());
        }
        if (kind == 1 && pick.shape().rank() > 0) {
            Reduction reduction = Reduction.values()[from.below(Reduction.values().length)];
            return Expr.reduce(
                    reduction, pick, new int[] {from.below(pick.shape().rank())}, true);
        }
        Op op = Op.all().get(from.below(Op.all().size()));
        Expr[] args = new Expr[op.arity()];
        args[0] = pick;
        for (int i = 1; i < args.length; i++) {
            boolean number = from.below(4) == 0;
            args[i] = number ? Expr.literal(from.value(from.dtype())) : nodes.get(from.below(nodes.size()));
        }
        if (op.name().equals("where")) {
            args[0] = Expr.cast(pick, DType.BOOL);
        }
        return Expr.apply(op, args);
    }

    /** Every node on its own, from tensor to tensor. */
    private static Tensor stepwise(Expr root) {
        Map<Expr, Expr> done = new IdentityHashMap<>();
        Tensor last = null;
        for (Expr node : root.postOrder()) {
            if (node instanceof Input || node instanceof Literal) {
                done.put(node, node);
                continue;
            }
            List<Expr> children = node.children().stream().map(done::get).toList();
            last = BACKEND.evaluate(node.withChildren(children));
            done.put(node, Input.of(last));
        }
        return last == null ? BACKEND.evaluate(root) : last;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anAdditionIsTheNaiveLoopsAddition(int seed) {
        RandomTensors from = new RandomTensors(seed);
        Shape shape = from.shape(8);
        Tensor a = from.tensor(DType.FLOAT32, from.broadcastInto(shape));
        Tensor b = from.tensor(DType.INT16, from.broadcastInto(shape));
        Shape common = Broadcasting.broadcastShapes(a.shape(), b.shape());
        List<Object> naive = new ArrayList<>();
        List<Object> left = a.expand(common).values();
        List<Object> right = b.expand(common).values();
        for (int i = 0; i < left.size(); i++) {
            float sum = ((Double) left.get(i)).floatValue() + (float) (long) (Long) right.get(i);
            naive.add((double) sum);
        }
        Tensor got = BACKEND.evaluate(Expr.apply(Op.of("add"), Input.of(a), Input.of(b)));
        assertThat(got.shape()).isEqualTo(common);
        assertThat(got.values()).isEqualTo(naive);
    }

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
        Reduce inner = (Reduce) Expr.reduce(Reduction.SUM, Input.of(Tensors.ones(2, 3)), new int[] {1}, false);
        assertThatThrownBy(() -> BACKEND.partials(inner, 0)).hasMessageContaining("keeps dimension 0");
    }
}
