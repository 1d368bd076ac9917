package io.github.broadloom.expr.fluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import io.github.broadloom.tensor.Tensors;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TensorOpsTest {
    record Handle(Expr expr) implements TensorOps<Handle> {
        @Override
        public Handle withExpr(Expr other) {
            return new Handle(other);
        }

        @Override
        public Handle to(Device target) {
            return this;
        }

        @Override
        public Expr upTo(long end) {
            throw new UnsupportedOperationException("Nothing lies here");
        }

        @Override
        public Tensor values(Expr other) {
            throw new UnsupportedOperationException("Nothing computes here");
        }
    }

    private static Handle handle(String name, DType dtype, long... sizes) {
        return new Handle(Input.of(name, dtype, Shape.of(sizes)));
    }

    /** All but the one that takes a shape for its second argument. */
    static List<Op> rows() {
        return Op.all().stream().filter(op -> op != Ops.EXPAND_AS).toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyRowHasItsMethodForHandlesTensorsAndNumbers(Op op) throws Exception {
        StringBuilder name = new StringBuilder();
        for (String word : op.name().split("_")) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        DType dtype = op == Ops.WHERE || !op.supports(DType.FLOAT32) ? DType.BOOL : DType.FLOAT32;
        Handle x = handle("x", op.name().endsWith("shift") ? DType.INT32 : dtype, 2);
        List<Object> operands = new ArrayList<>(List.of(x, Tensors.scalar(2, x.dtype())));
        if (!op.name().matches("lerp|addc.*")) {
            operands.add(2);
        }
        for (Object operand : operands) {
            Class<?>[] types = new Class<?>[op.arity() - 1];
            Object[] others = new Object[types.length];
            Arrays.fill(types, operand instanceof Number ? Number.class : TensorLike.class);
            Arrays.fill(others, operand);
            Method method = TensorOps.class.getMethod(name.toString(), types);
            Handle result = (Handle) method.invoke(x, others);
            assertThat(((Apply) result.expr()).op()).isSameAs(op);
        }
    }

    @Test
    void anExpressionReadsAsItIsWritten() {
        Handle x = handle("x", DType.FLOAT32, 4, 3);
        Handle m = handle("m", DType.FLOAT32, 3);
        Handle result = x.gt(m).where(x.sub(m).div(2), x.mul(0.1)).mean(KeepDim.KEEP, -1);
        assertThat(Printed.of(result.expr()))
                .isEqualTo("mean(where((x > m), ((x - m) / 2), (x * 0.1)), dim=1, keepdim=True)");
        assertThat(result.shape()).isEqualTo(Shape.of(4, 1));
        assertThat(result.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(x.sum().shape()).isEqualTo(Shape.SCALAR);
        assertThat(x.amax(0).shape()).isEqualTo(Shape.of(3));
        assertThat(x.to(DType.INT8).amin().dtype()).isEqualTo(DType.INT8);
        assertThat(x.to(DType.FLOAT32).expr()).isSameAs(x.expr());
    }

    @Test
    void keepDimStandsRightBeforeTheDimensionsWhichAreLast() {
        List<Executable> all = Stream.of(TensorOps.class, Expr.class, Reductions.class, Lines.class, Along.class)
                .<Executable>flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> List.of(method.getParameterTypes()).contains(KeepDim.class))
                .toList();
        assertThat(all).hasSizeGreaterThan(40);
        for (Executable method : all) {
            List<Class<?>> types = List.of(method.getParameterTypes());
            assertThat(types.subList(types.indexOf(KeepDim.class) + 1, types.size()))
                    .as(method.toString())
                    .isIn(List.of(int.class), List.of(int[].class));
        }
    }

    @Test
    void anErrorRisesAtTheCall() {
        Handle x = handle("x", DType.FLOAT32, 2);
        assertThatThrownBy(() -> x.add(handle("y", DType.FLOAT32, 3)))
                .hasMessage(
                        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
    }
}
