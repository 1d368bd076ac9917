package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.fluent.InPlaceOps;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import io.github.broadloom.tensor.Tensors;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The methods whose names end in an underscore, on handles. */
class InPlaceOpsTest {
    private static final String SHARED_PLACE = "unsupported operation: more than one element of the written-to tensor"
            + " refers to a single memory location. Please clone() the tensor before performing the operation.";

    private static final Set<String> WITHOUT_NAMESAKE = Set.of("copy_", "fill_", "zero_");

    static List<Method> named() {
        return Arrays.stream(InPlaceOps.class.getMethods())
                .filter(method -> method.getName().endsWith("_") && method.getParameterCount() < 2)
                .filter(method -> !WITHOUT_NAMESAKE.contains(method.getName()))
                .toList();
    }

    private static Tensor input(String method) {
        boolean integers = method.startsWith("bitwise");
        Tensor values = integers ? Tensors.of(1, 2, 3, 5) : Tensors.of(0.25, 0.5, 0.75, 0.875);
        return values.view(2, 2);
    }

    private static List<Object[]> operands(Class<?>[] types, Tensor other) {
        if (types.length == 0) {
            return List.<Object[]>of(new Object[0]);
        }
        if (types[0] == TensorLike.class) {
            return List.of(new Object[] {other}, new Object[] {LazyTensor.of(other)});
        }
        return List.<Object[]>of(new Object[] {types[0] == double.class ? (Object) 0.25 : 2});
    }

    @ParameterizedTest
    @MethodSource("named")
    void everyNamedMethodWritesWhatItsNamesakeReturns(Method method) throws Exception {
        String name = method.getName().substring(0, method.getName().length() - 1);
        Class<?>[] types = method.getParameterTypes();
        for (Object[] operands : operands(types, input(name).t())) {
            Tensor target = input(name);
            LazyTensor expected =
                    (LazyTensor) TensorOps.class.getMethod(name, types).invoke(LazyTensor.of(input(name)), operands);
            LazyTensor handle = LazyTensor.of(target);
            assertThat(method.invoke(handle, operands)).isSameAs(handle);
            assertThat(target.values())
                    .isEqualTo(expected.compute().to(target.dtype()).values());
        }
    }

    @Test
    void aHandleOnAViewWritesThroughItAtOnce() {
        Tensor whole = Tensors.arange(6).view(2, 3);
        LazyTensor column = LazyTensor.of(whole.select(1, 1));
        column.add_(LazyTensor.of(Tensors.of(1, 2)).mul(10)).mul_(2);
        assertThat(whole.toLongArray()).containsExactly(0, 22, 2, 3, 48, 5);
        assertThat(LazyTensor.of(whole).sum().compute().item()).isEqualTo(80L);
    }

    @Test
    void aHandleOnAValueStandsForTheResultAndLeavesItsInputsAlone() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor y = LazyTensor.of(x).mul(2);
        LazyTensor z = y.add(1);
        assertThat(y.add_(10)).isSameAs(y);
        assertThat(y.compute().toFloatArray()).containsExactly(12, 14);
        assertThat(z.compute().toFloatArray()).containsExactly(3, 5);
        assertThat(x.toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void aValueThatTookTheElementsOfATensorDoesNotWriteToIt() {
        Tensor x = Tensors.of(1f, 2f);
        LazyTensor y = LazyTensor.of(Tensors.zeros(2)).neg();
        y.copy_(x).add_(5);
        assertThat(y.compute().toFloatArray()).containsExactly(6, 7);
        assertThat(x.toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void fillAndZeroKeepShapeAndDtypeOfValues() {
        LazyTensor y = LazyTensor.of(Tensors.arange(6).view(2, 3)).add(1);
        assertThat(y.fill_(7).compute().toLongArray()).containsExactly(7, 7, 7, 7, 7, 7);
        assertThat(y.zero_().dtype()).isEqualTo(DType.INT64);
        assertThat(y.shape()).isEqualTo(Shape.of(2, 3));
        assertThatThrownBy(() ->
                        LazyTensor.of(Tensors.zeros(Shape.of(1), DType.INT8)).fill_(300))
                .hasMessage("value cannot be converted to type int8_t without overflow");
        assertThat(LazyTensor.of(Tensors.zeros(Shape.of(2), DType.FLOAT16))
                        .fill_(-1e300)
                        .compute()
                        .toFloatArray())
                .containsExactly(Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY);
        assertThat(LazyTensor.of(Tensors.of(1f).expand(3)).fill_(2).compute().toFloatArray())
                .containsExactly(2, 2, 2);
    }

    @Test
    void threeOperandsWriteOverTheFirst() {
        Tensor x = Tensors.of(1f, 2f, 3f);
        Tensor tens = Tensors.of(10f, 10f, 10f);
        LazyTensor handle = LazyTensor.of(x);
        handle.addcmul_(x, tens, 0.5); // x + 0.5 * x * 10
        assertThat(x.toFloatArray()).containsExactly(6, 12, 18);
        handle.addcdiv_(LazyTensor.of(tens), LazyTensor.of(Tensors.of(1f, 2f, 5f)));
        assertThat(x.toFloatArray()).containsExactly(16, 17, 20);
        handle.lerp_(Tensors.of(0f, 1f, 0f), 0.25).clamp_(13, 14);
        assertThat(x.toFloatArray()).containsExactly(13, 13, 14);
        Tensor integers = Tensors.of(1, 2);
        LazyTensor.of(integers).addcmul_(Tensors.of(3, 4), Tensors.of(5, 6), 2);
        assertThat(integers.toLongArray()).containsExactly(31, 50);
    }

    @Test
    void quotientsAreRoundedAsAskedAndSpecialNumbersReplaced() {
        Tensor down = Tensors.of(7, -7);
        Tensor towardsZero = Tensors.of(7, -7);
        LazyTensor.of(down).div_(2, Rounding.FLOOR);
        LazyTensor.of(towardsZero).div_(Tensors.of(2, 2), Rounding.TRUNC);
        assertThat(down.toLongArray()).containsExactly(3, -4);
        assertThat(towardsZero.toLongArray()).containsExactly(3, -3);
        Tensor special = Tensors.of(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
        LazyTensor.of(special).nanToNum_(1, 2, 3);
        assertThat(special.toFloatArray()).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsNoIntegerIsNotWrittenToIntegers() {
        LazyTensor integers = LazyTensor.of(Tensors.of(1, 2));
        String text = "result type Float can't be cast to the desired output type Long";
        assertThatThrownBy(integers::deg2rad_).hasMessage(text);
        assertThatThrownBy(() -> integers.logit_(0.25)).hasMessage(text);
        assertThatThrownBy(() -> integers.div_(2.0, Rounding.TRUNC)).hasMessage(text);
        assertThatThrownBy(() -> integers.addcmul_(Tensors.of(1f, 2f), Tensors.of(1f, 2f)))
                .hasMessage(text);
        assertThatThrownBy(() -> integers.lerp_(Tensors.of(1f, 2f), 0.5))
                .hasMessage("expected dtype long int for `end` but got dtype float");
        LazyTensor shared = LazyTensor.of(Tensors.of(0.5f).expand(3));
        assertThatThrownBy(() -> shared.logit_(0.25)).hasMessage(SHARED_PLACE);
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
