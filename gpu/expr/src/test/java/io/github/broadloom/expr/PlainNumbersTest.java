package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of plain numbers; the values are those of PyTorch 2.13 for float64 tensors of these. */
class PlainNumbersTest {
    private static Object value(String text) {
        return ((Literal) ExprParser.parse(text, Map.of())).value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "floor(2.5); 2.0",
                "ceil(2.5); 3.0",
                "round(2.5); 2.0",
                "trunc(-2.5); -2.0",
                "frac(2.75); 0.75",
                "asinh(2); 1.4436354751788103",
                "acosh(2); 1.3169578969248166",
                "atanh(0.5); 0.5493061443340548",
                "silu(2); 1.7615941559557646",
                "gelu(2); 1.9544997361036416",
                "mish(2); 1.9439589595339946",
                "erfc(2); 0.004677734981047266",
                "lgamma(2.5); 0.2846828704729192",
                "sinc(0.25); 0.9003163161571061",
                "logit(0.25); -1.0986122886681098",
                "softplus(2); 2.1269280110429727",
                "logsigmoid(2); -0.1269280110429725",
                "hardswish(2.0); 1.6666666666666667",
                "elu(-1.0); -0.6321205588285577",
                "leaky_relu(-2.0); -0.02",
                "selu(-1.0); -1.1113307378125625",
                "softsign(2.0); 0.6666666666666666",
                "relu6(7.0); 6.0",
                "deg2rad(180); 3.141592653589793"
            })
    void aFunctionOfAPlainNumberIsAPlainNumber(String text, double value) {
        double computed = (Double) value(text);
        assertThat(Ulps.between(computed, value, DType.FLOAT64)).isLessThanOrEqualTo(4);
    }

    static List<Op> operations() {
        return Op.all();
    }

    /** One mechanism for the whole table: a new row needs nothing more. */
    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationOfThePlainNumberTwoIsAPlainNumber(Op op) {
        Expr[] twos = new Expr[op.arity()];
        Arrays.fill(twos, Literal.of(2L));
        assertThat(Expr.apply(op, twos)).isInstanceOf(Literal.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "floor(2); 2",
                "relu(-2); 0",
                "sign(-7); -1",
                "neg(True); -1",
                "bitwise_not(True); -2",
                "maximum(2, 3); 3",
                "maximum(2, 2.5); 2.5",
                "fmax(nan, 1); 1.0",
                "maximum(1, nan); NaN",
                "clamp(7, 0, 5); 5",
                "lerp(1, 3, 0.5); 2.0",
                "isnan(nan); true",
                "logical_and(2, 0); false",
                "True | 6; 7",
                "3 > 2.5; true"
            })
    void anIntegerStaysOneWhereTheOperationHasIntegers(String text, String value) {
        assertThat(value(text)).hasToString(value);
    }

    @Test
    void itTakesTheDTypeOfTheTensorBesideIt() {
        Expr half = Input.of("h", DType.FLOAT16, Shape.of(2));
        assertThat(ExprParser.parse("floor(2.5) * h + erfc(2) * h", Map.of("h", half))
                        .dtype())
                .isEqualTo(DType.FLOAT16);
    }

    @Test
    void anOperationThatNumbersOfThatKindDoNotHaveIsRefusedInPyTorchsWords() {
        assertThatThrownBy(() -> value("bitwise_not(2.5)"))
                .hasMessageContaining("\"bitwise_not_cpu\" not implemented for 'Double'");
        assertThatThrownBy(() -> value("div_trunc(7, 0)")).hasMessageContaining("ZeroDivisionError");
    }

    /** A product is printed as the sum that it is, which reads back. */
    @Test
    void aMatrixProductIsPrinted() {
        Expr a = Input.of("a", DType.FLOAT32, Shape.of(2, 3));
        Expr b = Input.of("b", DType.FLOAT32, Shape.of(3, 4));
        String text = Printed.of(ExprParser.parse("a @ b", Map.of("a", a, "b", b)));
        assertThat(text).isEqualTo("einsum('abc,abc->ac', a.unsqueeze(2), b.unsqueeze(0))");
        assertThat(ExprParser.parse(text, Map.of("a", a, "b", b)).shape()).isEqualTo(Shape.of(2, 4));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "var(x, dim=0, correction=0); var(x, dim=0, correction=0.0)",
                "quantile(x, 0.5, dim=1, interpolation='lower'); quantile(x, 0.5, dim=1, interpolation='lower')"
            })
    void whatIsNotTheDefaultIsPrinted(String text, String printed) {
        Expr x = Input.of("x", DType.FLOAT32, Shape.of(2, 3));
        assertThat(Printed.of(ExprParser.parse(text, Map.of("x", x)))).isEqualTo(printed);
    }
}
