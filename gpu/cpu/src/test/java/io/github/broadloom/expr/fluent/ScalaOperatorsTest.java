package io.github.broadloom.expr.fluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls the operators as Scala's compiler does: each means what it means in the text of an expression. */
class ScalaOperatorsTest {
    private static final Map<Character, String> ENCODED = Map.of(
            '+', "plus", '-', "minus", '*', "times", '/', "div", '%', "percent", '<', "less", '>', "greater", '=', "eq",
            '!', "bang");
    private static final Map<Character, String> BITS = Map.of('&', "amp", '|', "bar", '^', "up", '~', "tilde");

    private static Tensor a() {
        return Tensors.of(5L, -7L, 2L, 0L, 3L, -1L).reshape(2, 3);
    }

    private static Tensor b() {
        return Tensors.of(2L, 3L, 2L);
    }

    private static LazyTensor x() {
        return LazyTensor.of(a());
    }

    /** Scala's name of an operator in a class file. */
    private static String encoded(String operator) {
        return operator.chars()
                .mapToObj(symbol -> "$" + ENCODED.getOrDefault((char) symbol, BITS.getOrDefault((char) symbol, "")))
                .collect(Collectors.joining());
    }

    private static Object call(Object target, String operator, Class<?> type, Object right) throws Exception {
        return target.getClass().getMethod(encoded(operator), type).invoke(target, right);
    }

    private static String value(Object lazy) {
        return ((LazyTensor) lazy).compute().toString();
    }

    private static String expected(String expression) {
        return LazyTensor.eval(expression, Map.of("a", a(), "b", b())).compute().toString();
    }

    @ParameterizedTest
    @CsvSource({
        "+, a + b", "-, a - b", "*, a * b", "/, a / b", "%, a % b", "&, a & b", "|, a | b", "^, a ^ b",
        "<<, a << b", ">>, a >> b", "<, a < b", "<=, a <= b", ">, a > b", ">=, a >= b", "===, a == b", "=!=, a != b"
    })
    void anOperatorTakesTensorsAndNumbersOnBothSides(String operator, String expression) throws Exception {
        assertThat(value(call(x(), operator, TensorLike.class, LazyTensor.of(b()))))
                .isEqualTo(expected(expression));
        assertThat(value(call(x(), operator, TensorLike.class, b()))).isEqualTo(expected(expression));
        assertThat(value(call(x(), operator, Number.class, 2))).isEqualTo(expected(expression.replace("b", "2")));
        assertThat(value(call(LeftOperand.of(2), operator, OpsBase.class, LazyTensor.of(b()))))
                .isEqualTo(expected(expression.replace("a", "2")));
    }

    @Test
    void aNumberOnTheLeftPromotesAsOneOnTheRight() {
        assertThat(value(LeftOperand.of(2).$times(x()))).isEqualTo(expected("2 * a"));
        assertThat(value(LeftOperand.of(2.5).$minus(x()))).isEqualTo(expected("2.5 - a"));
        assertThat(value(LeftOperand.of(0).$less(x()))).isEqualTo(expected("0 < a"));
    }

    @Test
    void unaryOperators() {
        assertThat(value(x().unary_$minus())).isEqualTo(expected("-a"));
        assertThat(value(x().unary_$tilde())).isEqualTo(expected("~a"));
        assertThat(value(x().unary_$bang())).isEqualTo(expected("logical_not(a)"));
    }

    @Test
    void parenthesesTakeIndicesOrPythonsSlices() {
        assertThat(value(x().apply(-1))).isEqualTo("tensor([ 0,  3, -1])");
        assertThat(value(x().apply(0, 1))).isEqualTo("tensor(-7)");
        assertThat(value(x().apply("None, ..., 1:"))).isEqualTo(expected("a[None, ..., 1:]"));
        assertThatThrownBy(() -> x().apply(2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 2 is out of bounds for dimension 0 with size 2");
        assertThatThrownBy(() -> x().apply("0]+x["))
                .hasMessage("Cannot read the slice '0]+x['; write one such as '1:3, None, ..., 0'");
    }

    @Test
    void whatDoesNotBroadcastIsRefused() {
        LazyTensor two = LazyTensor.of(Tensors.of(1L, 2L));
        String sentence =
                "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d";
        assertThatThrownBy(() -> x().$plus(two)).hasMessage(sentence.formatted(3, 2, 1));
    }
}
