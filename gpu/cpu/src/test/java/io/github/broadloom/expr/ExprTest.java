package io.github.broadloom.expr;

import static io.github.broadloom.dtype.DType.BOOL;
import static io.github.broadloom.dtype.DType.FLOAT16;
import static io.github.broadloom.dtype.DType.FLOAT32;
import static io.github.broadloom.dtype.DType.FLOAT64;
import static io.github.broadloom.dtype.DType.INT32;
import static io.github.broadloom.dtype.DType.INT64;
import static io.github.broadloom.dtype.DType.UINT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExprTest {
    private static Input input(String name, DType dtype, long... sizes) {
        return Input.of(name, dtype, Shape.of(sizes));
    }

    @Test
    void aFullReductionCountsAsZeroDimInPromotion() {
        Expr total = Expr.reduce(Reduction.SUM, input("x", FLOAT64, 4), KeepDim.DROP);
        assertThat(Expr.apply(Ops.MUL, input("y", FLOAT32, 3), total).dtype()).isEqualTo(FLOAT32);
    }

    @Test
    void aConvertedNumberIsATensorAndNoLongerANumber() {
        Expr converted = Expr.cast(Expr.literal(2), FLOAT64);
        assertThat(Expr.apply(Ops.MUL, input("i", INT32), converted).dtype()).isEqualTo(FLOAT64);
        assertThat(Expr.apply(Ops.MUL, input("i", INT32), Expr.literal(2)).dtype())
                .isEqualTo(INT32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mul", "div", "floor_divide"})
    void float16KeepsThePrecisionOfANumberThatItIsMultipliedOrDividedBy(String op) {
        Expr half = input("h", FLOAT16, 2);
        Apply product = (Apply) Expr.apply(Op.of(op), half, Expr.literal(0.1));
        assertThat(product.dtype()).isEqualTo(FLOAT16);
        assertThat(product.argumentType(1)).isEqualTo(FLOAT32);
        assertThat(((Literal) product.children().get(1)).valueAs(FLOAT32)).isEqualTo((double) 0.1f);
        Apply single = (Apply) Expr.apply(Op.of(op), half, input("i", INT64, 1, 1));
        assertThat(single.children().get(1)).isInstanceOf(Input.class); // one element counts as a number
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "sub", "maximum"})
    void float16RoundsEveryOtherNumberFirst(String op) {
        Apply sum = (Apply) Expr.apply(Op.of(op), input("h", FLOAT16, 2), Expr.literal(0.1));
        assertThat(sum.dtype()).isEqualTo(FLOAT16);
        assertThat(sum.argumentType(1)).isEqualTo(FLOAT16);
        assertThat(((Literal) sum.children().get(1)).valueAs(FLOAT16)).isEqualTo(0.0999755859375);
    }

    @Test
    void aNumberIsConvertedAsATensorsElementIs() {
        assertThat(((Literal) Expr.literal(1e20)).valueAs(INT32)).isEqualTo((long) Integer.MIN_VALUE);
        assertThat(((Literal) Expr.literal(Double.NaN)).valueAs(INT64)).isEqualTo(Long.MIN_VALUE);
        assertThat(((Literal) Expr.literal(Double.POSITIVE_INFINITY)).valueAs(UINT8))
                .isEqualTo(0L);
        assertThat(((Literal) Expr.literal(4294967298.7)).valueAs(DType.INT8)).isEqualTo(0L);
        assertThat(((Literal) Expr.literal(-2.7)).valueAs(INT32)).isEqualTo(-2L);
    }

    @Test
    void numbersWrapToTheDtypeThatUsesThem() {
        assertThat(((Literal) Expr.literal(300)).valueAs(UINT8)).isEqualTo(44L);
        assertThat(((Literal) Expr.literal(-1)).valueAs(UINT8)).isEqualTo(255L);
        assertThat(((Literal) Expr.literal(200)).valueAs(DType.INT8)).isEqualTo(-56L);
    }

    @Test
    void anIntegerDividedByAPlainZeroIsRefusedAtOnce() {
        assertThatThrownBy(() -> Expr.apply(Ops.REMAINDER, input("i", INT32, 2), Expr.literal(0)))
                .hasMessage("ZeroDivisionError");
        assertThat(Expr.apply(Ops.REMAINDER, input("x", FLOAT32, 2), Expr.literal(0))
                        .dtype())
                .isEqualTo(FLOAT32);
    }

    @Test
    void aDivisorThatWrapsToZeroIsRefusedWhereThereIsSomethingToDivide() {
        Expr wrapping = Expr.literal(256);
        assertThatThrownBy(() -> Expr.apply(Ops.REMAINDER, input("i", UINT8, 2), wrapping))
                .hasMessage("ZeroDivisionError");
        assertThat(Expr.apply(Ops.REMAINDER, input("i", UINT8, 0, 3), wrapping).shape())
                .isEqualTo(Shape.of(0, 3));
    }

    @ParameterizedTest
    @CsvSource({"fmod, fmod_cpu", "remainder, remainder_cpu", "floor_divide, div_floor_cpu"})
    void aBoolIsNotDividedWhateverTheDivisor(String op, String kernel) {
        assertThatThrownBy(() -> Expr.apply(Op.of(op), input("b", BOOL, 2), Expr.literal(false)))
                .hasMessage('"' + kernel + "\" not implemented for 'Bool'");
    }

    @Test
    void aBoolIsRaisedToAPlainBoolAlone() {
        Expr bool = input("b", BOOL, 2);
        assertThat(Expr.apply(Ops.POW, bool, Expr.literal(true)).dtype()).isEqualTo(BOOL);
        assertThatThrownBy(() -> Expr.apply(Ops.POW, bool, input("c", BOOL, 2)))
                .hasMessage("\"pow\" not implemented for 'Bool'");
        assertThatThrownBy(() -> Expr.apply(Ops.POW, bool, input("c", BOOL, 3)))
                .hasMessageStartingWith("The size of tensor a (2) must match");
    }

    @ParameterizedTest
    @CsvSource({"UINT8, 300, uint8_t", "INT32, 1099511627776, int", "FLOAT16, 70000, c10::Half"})
    void anExponentThatTheDtypeCannotHoldIsRefused(DType dtype, long exponent, String name) {
        assertThatThrownBy(() -> Expr.apply(Ops.POW, input("x", dtype, 2), Expr.literal(exponent)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value cannot be converted to type " + name + " without overflow");
    }

    @Test
    void anIntegerToANegativePlainIntegerIsRefused() {
        assertThatThrownBy(() -> Expr.apply(Ops.POW, input("i", INT64, 2), Expr.literal(-1)))
                .hasMessage("Integers to negative integer powers are not allowed.");
        assertThat(Expr.apply(Ops.POW, input("i", INT64, 2), Expr.literal(-1.0)).dtype())
                .isEqualTo(FLOAT32);
    }

    @Test
    void theConditionOfWhereIsBool() {
        Expr x = input("x", FLOAT32, 2);
        assertThatThrownBy(() -> Expr.apply(Ops.WHERE, x, x, x))
                .hasMessage("where expected condition to be a boolean tensor, but got a tensor with dtype Float");
        Apply where = (Apply) Expr.apply(Ops.WHERE, input("c", BOOL, 2), Expr.literal(1), Expr.literal(2));
        assertThat(where.dtype()).isEqualTo(INT64);
        assertThat(where.argumentType(0)).isEqualTo(BOOL);
        assertThat(where.argumentType(1)).isEqualTo(INT64);
    }

    @Test
    void theWrongNumberOfArgumentsIsRefused() {
        assertThatThrownBy(() -> Expr.apply(Ops.ADD, input("x", FLOAT32)))
                .hasMessage("Cannot apply add: 1 arguments; give 2");
    }

    @Test
    void reducedDimensionsAreSortedAndCountedFromTheFront() {
        Reduce sum = (Reduce) Expr.reduce(Reduction.SUM, input("x", UINT8, 2, 3, 4), KeepDim.DROP, -1, 0);
        assertThat(sum.dims()).containsExactly(0, 2);
        assertThat(sum.shape()).isEqualTo(Shape.of(3));
        assertThat(sum.dtype()).isEqualTo(INT64);
        assertThat(sum.reducedCount()).isEqualTo(8);
    }

    @Test
    void aDimensionThatDoesNotExistIsPyTorchsIndexError() {
        assertThatThrownBy(() -> Expr.reduce(Reduction.SUM, input("x", FLOAT32, 2, 3), KeepDim.DROP, 5))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension out of range (expected to be in range of [-2, 1], but got 5)");
    }

    @Test
    void theGreatestOfNothingIsRefusedAndTheSumIsNot() {
        Expr empty = input("x", FLOAT32, 0, 2);
        assertThatThrownBy(() -> Expr.reduce(Reduction.AMAX, empty, KeepDim.DROP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("amax(): Expected reduction dim to be specified for input.numel() == 0.");
        assertThat(Expr.reduce(Reduction.AMAX, empty, KeepDim.KEEP, 1).shape()).isEqualTo(Shape.of(0, 1));
        assertThat(Expr.reduce(Reduction.SUM, empty, KeepDim.DROP).shape()).isEqualTo(Shape.SCALAR);
    }

    @Test
    void replacedInputsKeepSharedNodesShared() {
        Input x = input("x", FLOAT32, 2);
        Expr square = Expr.apply(Ops.SQUARE, x);
        Expr sum = Expr.apply(Ops.ADD, square, square);
        List<Input> asked = new ArrayList<>();
        Expr mapped = sum.mapInputs(in -> {
            asked.add(in);
            return Input.of("y", FLOAT64, Shape.of(5, 2));
        });
        assertThat(mapped.children().get(0)).isSameAs(mapped.children().get(1));
        assertThat(mapped.dtype()).isEqualTo(FLOAT64);
        assertThat(mapped.shape()).isEqualTo(Shape.of(5, 2));
        assertThat(asked).containsExactly(x);
        assertThat(sum.mapInputs(in -> in)).isSameAs(sum);
    }

    @Test
    void aViewOfAnInputThatWasReplacedIsNotReplacedAgain() {
        Expr doubled = ExprParser.parse("x.permute((1, 0))[1:]", Map.of("x", Input.of("x", FLOAT64, Shape.of(2, 3))));
        Expr bound =
                doubled.mapInputs(in -> Input.of(Tensors.arange(0.0, 6.0, 1.0).reshape(2, 3)));
        assertThat(Devices.backend(Device.CPU).evaluate(bound).values()).containsExactly(1.0, 4.0, 2.0, 5.0);
    }

    @Test
    void inputsAppearOnceFromLeftToRight() {
        Input a = input("a", FLOAT32);
        Input b = input("b", FLOAT32);
        Expr expr = Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, b, a), Expr.apply(Ops.ADD, a, b));
        assertThat(expr.inputs()).containsExactly(b, a);
    }

    @Test
    void aDeepExpressionSurvivesSerialisationWithItsSharing() throws Exception {
        Expr x = input("x", INT32, 3);
        Expr deep = x;
        for (int i = 0; i < 20_000; i++) {
            deep = Expr.apply(Ops.ADD, deep, x);
        }
        Expr summed = Expr.reduce(Reduction.AMAX, Expr.cast(deep, FLOAT64), KeepDim.KEEP, 0);
        Expr copy = copied(Expr.apply(Ops.MUL, summed, Expr.literal(0.5)));
        assertThat(copy.postOrder()).hasSize(20_000 + 5);
        assertThat(copy.dtype()).isEqualTo(FLOAT64);
        assertThat(copy.shape()).isEqualTo(Shape.of(1));
        assertThat(copy.inputs()).hasSize(1);
    }

    private static Expr copied(Expr expr) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expr);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Expr) in.readObject();
        }
    }
}
