package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.InPlaceArithmeticOps;
import io.github.broadloom.expr.InPlaceComparisonOps;
import io.github.broadloom.expr.InPlaceMathOps;
import io.github.broadloom.expr.Ops;
import io.github.broadloom.expr.TensorOps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The methods whose names end in an underscore, on handles. */
class InPlaceOpsTest {
    private static final String SHARED_PLACE = "unsupported operation: more than one element of the written-to tensor"
            + " refers to a single memory location. Please clone() the tensor before performing the operation.";

    static List<Method> named() {
        return Stream.of(InPlaceArithmeticOps.class, InPlaceComparisonOps.class, InPlaceMathOps.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getName().endsWith("_") && method.getParameterCount() < 2)
                .toList();
    }

    private static Tensor input(String method) {
        boolean integers = method.startsWith("bitwise");
        Tensor values = integers ? Tensors.of(1, 2, 3, 5) : Tensors.of(0.25, 0.5, 0.75, 0.875);
        return values.view(2, 2);
    }

    @ParameterizedTest
    @MethodSource("named")
    void everyNamedMethodWritesWhatItsNamesakeReturns(Method method) throws Exception {
        String name = method.getName().substring(0, method.getName().length() - 1);
        Class<?>[] types = method.getParameterTypes();
        Object[] operands = new Object[types.length];
        if (types.length == 1) {
            Tensor other = input(name).t();
            operands[0] =
                    types[0] == Number.class ? (Number) 2 : types[0] == Tensor.class ? other : LazyTensor.of(other);
        }
        Tensor target = input(name);
        LazyTensor expected =
                (LazyTensor) TensorOps.class.getMethod(name, types).invoke(LazyTensor.of(input(name)), operands);
        LazyTensor handle = LazyTensor.of(target);
        assertThat(method.invoke(handle, operands)).isSameAs(handle);
        assertThat(target.values()).isEqualTo(expected.eval().to(target.dtype()).values());
    }

    @Test
    void aHandleOnAViewWritesThroughItAtOnce() {
        Tensor whole = Tensors.arange(6).view(2, 3);
        LazyTensor column = LazyTensor.of(whole.select(1, 1));
        column.add_(LazyTensor.of(Tensors.of(1, 2)).mul(10)).mul_(2);
        assertThat(whole.toLongArray()).containsExactly(0, 22, 2, 3, 48, 5);
        assertThat(LazyTensor.of(whole).sum().eval().item()).isEqualTo(80L);
    }

    @Test
    void aHandleOnAValueStandsForTheResultAndLeavesItsInputsAlone() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor y = LazyTensor.of(x).mul(2);
        LazyTensor z = y.add(1);
        assertThat(y.add_(10)).isSameAs(y);
        assertThat(y.eval().toFloatArray()).containsExactly(12, 14);
        assertThat(z.eval().toFloatArray()).containsExactly(3, 5);
        assertThat(x.toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void aValueThatTookTheElementsOfATensorDoesNotWriteToIt() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor y = LazyTensor.of(Tensors.zeros(2)).neg();
        y.copy_(x).add_(5);
        assertThat(y.eval().toFloatArray()).containsExactly(6, 7);
        assertThat(x.toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void fillAndZeroKeepShapeAndDtypeOfValues() {
        LazyTensor y = LazyTensor.of(Tensors.arange(6).view(2, 3)).add(1);
        assertThat(y.fill_(7).eval().toLongArray()).containsExactly(7, 7, 7, 7, 7, 7);
        assertThat(y.zero_().dtype()).isEqualTo(DType.INT64);
        assertThat(y.shape()).isEqualTo(Shape.of(2, 3));
        assertThatThrownBy(() ->
                        LazyTensor.of(Tensors.zeros(Shape.of(1), DType.INT8)).fill_(300))
                .hasMessage("value cannot be converted to type int8_t without overflow");
        assertThat(LazyTensor.of(Tensors.of(1f).expand(3)).fill_(2).eval().toFloatArray())
                .containsExactly(2, 2, 2);
    }

    @Test
    void alphaScalesTheOther() {
        Tensor x = Tensors.of(1, 2);
        LazyTensor.of(x).add_(Tensors.of(3, 4), 2).sub_(LazyTensor.of(Tensors.of(1, 1)), 5);
        assertThat(x.toLongArray()).containsExactly(2, 5);
        Tensor half = Tensors.of(0.1).to(DType.FLOAT16);
        LazyTensor.of(half).add_(Tensors.of(0.3).to(DType.FLOAT16), 0.1);
        assertThat(half.getDouble(0))
                .isEqualTo(0.1300048828125); // torch: tensor(0.1, half).add_(tensor(0.3, half), alpha=0.1)
    }

    @Test
    void alphaIsRefusedAsInPyTorch() {
        LazyTensor integers = LazyTensor.of(Tensors.of(1, 2));
        assertThatThrownBy(() -> integers.add_(Tensors.of(1, 2), 2.5))
                .hasMessage("For integral input tensors, argument alpha must not be a floating point number.");
        assertThatThrownBy(() -> integers.applyScaled_(Ops.ADD, Tensors.of(1, 2), true))
                .hasMessage("Boolean alpha only supported for Boolean results.");
        assertThatThrownBy(() -> LazyTensor.of(Tensors.of(1L).expand(3)).sub_(Tensors.of(1, 2), 2.5))
                .hasMessage(SHARED_PLACE);
        assertThatThrownBy(() -> LazyTensor.of(Tensors.zeros(Shape.of(2), DType.INT8))
                        .add_(Tensors.zeros(Shape.of(2), DType.INT8), 1000))
                .hasMessage("value cannot be converted to type int8_t without overflow");
    }

    @Test
    void rulesAreCheckedInPyTorchsOrder() {
        LazyTensor shared = LazyTensor.of(Tensors.of(1L).expand(3));
        LazyTensor mask = LazyTensor.of(Tensors.of(true).expand(3));
        Tensor five = Tensors.zeros(5);
        assertThatThrownBy(() -> mask.sub_(five)).hasMessageStartingWith("Subtraction, the `-` operator, with a bool");
        assertThatThrownBy(mask::neg_).hasMessageStartingWith("Negation, the `-` operator, on a bool tensor");
        assertThatThrownBy(() -> shared.pow_(-1)).hasMessage("Integers to negative integer powers are not allowed.");
        assertThatThrownBy(() -> shared.remainder_(0)).hasMessage(SHARED_PLACE);
        assertThatThrownBy(() -> shared.add_(five)).hasMessage(SHARED_PLACE);
        LazyTensor one = LazyTensor.of(Tensors.zeros(Shape.of(1), DType.INT64));
        assertThatThrownBy(() -> one.bitwiseAnd_(five))
                .hasMessage("output with shape [1] doesn't match the broadcast shape [5]");
        assertThatThrownBy(() -> one.bitwiseAnd_(Tensors.zeros(1)))
                .hasMessage("result type Float can't be cast to the desired output type Long");
        assertThatThrownBy(() -> LazyTensor.of(Tensors.zeros(1)).bitwiseAnd_(1))
                .hasMessage("\"bitwise_and_cpu\" not implemented for 'Float'");
        assertThatThrownBy(() -> one.clamp_(1.5, 2.5))
                .hasMessage("result type Float can't be cast to the desired output type long int");
        assertThatThrownBy(one::exp_).hasMessage("result type Float can't be cast to the desired output type Long");
    }

    @Test
    void comparisonsAreCastToTheDtypeOfTheTarget() {
        Tensor x = Tensors.of(1f, 2f, 3f);
        LazyTensor.of(x).ge_(2);
        assertThat(x.toFloatArray()).containsExactly(0, 1, 1);
    }

    @Test
    void theMeanOfTheTargetItselfIsTakenBeforeAnythingIsWritten() {
        Tensor x = Tensors.of(1f, 2f, 6f);
        LazyTensor handle = LazyTensor.of(x);
        handle.sub_(handle.mean());
        assertThat(x.toFloatArray()).containsExactly(-2, -1, 3);
    }
}
