package io.github.broadloom.expr.parse;

import static io.github.broadloom.dtype.DType.BOOL;
import static io.github.broadloom.dtype.DType.FLOAT32;
import static io.github.broadloom.dtype.DType.INT32;
import static io.github.broadloom.dtype.DType.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExprParserTest {
    private static final Map<String, Expr> INTEGERS = names(INT32, Shape.SCALAR, "a", "b", "c", "d");
    private static final Map<String, Expr> TENSORS = names(FLOAT32, Shape.of(2, 3), "x", "m", "s");

    private static Map<String, Expr> names(DType dtype, Shape shape, String... names) {
        Map<String, Expr> inputs = new HashMap<>();
        for (String name : names) {
            inputs.put(name, Input.of(name, dtype, shape));
        }
        return inputs;
    }

    private static String read(String text) {
        return Printed.of(ExprParser.parse(text, TENSORS));
    }

    private static ExprSyntaxException refusal(String text) {
        return catchThrowableOfType(ExprSyntaxException.class, () -> ExprParser.parse(text, TENSORS));
    }

    static List<String> precedenceTable() throws IOException {
        try (InputStream in = ExprParserTest.class.getResourceAsStream("/precedence.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("precedenceTable")
    void operatorsBindAsInPython(String row) {
        String[] sides = row.split(" => ");
        // every operator that stands here takes some of bool and integers; the ones that refuse this mix are told apart
        Expr withParentheses;
        try {
            withParentheses = ExprParser.parse(sides[1], INTEGERS);
        } catch (ExprSyntaxException e) {
            assertThatThrownBy(() -> ExprParser.parse(sides[0], INTEGERS)).hasMessageStartingWith(e.sentence());
            return;
        }
        assertThat(Printed.of(ExprParser.parse(sides[0], INTEGERS)))
                .isEqualTo(Printed.of(withParentheses))
                .matches(
                        printed -> printed.contains("float32(") || printed.equals(sides[1]) || sides[1].contains("--"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1_000; 1000",
                "0x1F; 31",
                "0b101; 5",
                "0o17; 15",
                ".5; 0.5",
                "1e-3; 0.001",
                "5.; 5.0",
                "pi; 3.141592653589793",
                "-inf; -Infinity",
                "nan; NaN",
                "True; true",
                "2 * 3 + 1; 7",
                "7 // 2; 3",
                "-7 // 2; -4",
                "-7 % 3; 2",
                "1 / 4; 0.25",
                "2 ** 10; 1024",
                "2 ** -1; 0.5",
                "-2 ** 2; -4",
                "2 ** 3 ** 2; 512",
                "True + True; 2",
                "1 < 2; true",
                "~5; -6",
                "1 << 4; 16",
                "0.1 + 0.2; 0.30000000000000004",
                "sqrt(16); 4.0",
                "True & False; false",
                "5.5 // 2; 2.0",
                "+True; 1",
                "where(1 > 2, 3, 4.5); 4.5",
                "9223372036854775807; 9223372036854775807",
                "-7.5 % 2; 0.5",
                "-9223372036854775808; -9223372036854775808",
                "- 0x8000000000000000 + 1; -9223372036854775807",
                "round(2.675, decimals=2); 2.68",
                "round(1250, decimals=-2); 1200.0"
            })
    void plainNumbersAreThoseOfPython(String text, String value) {
        Expr expr = ExprParser.parse(text, Map.of());
        assertThat(expr).isInstanceOf(Literal.class);
        assertThat(((Literal) expr).value()).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "where(x > m, (x - m) / s, 0.1 * x); where((x > m), ((x - m) / s), (0.1 * x))",
                "sum(x); sum(x, dim=[0, 1])",
                "x.sum(0); sum(x, dim=0)",
                "nansum(x, 0, dtype=float64); sum(where(isnan(float64(x)), 0, float64(x)), dim=0)",
                "mean(x, dim=(0, 1), keepdim=True); mean(x, dim=[0, 1], keepdim=True)",
                "amax(x, -1, True); amax(x, dim=1, keepdim=True)",
                "x.amin(axis=[0], keepdims=True); amin(x, dim=0, keepdim=True)",
                "float64(x).sqrt(); sqrt(float64(x))",
                "x.to(int32); int32(x)",
                "cast(x, int64); int64(x)",
                "clamp(x, 0, 1); clamp(x, 0, 1)",
                "clip(x, max=1); clamp_max(x, 1)",
                "x.clamp(min=m); clamp_min(x, m)",
                "clamp(x, None, m); clamp_max(x, m)",
                "lerp(x, m, 0.25); lerp(x, m, 0.25)",
                "addcmul(x, m, s); addcmul(x, m, s, 1)",
                "x.addcdiv(m, s, value=2); addcdiv(x, m, s, 2)",
                "softplus(x, threshold=5); softplus(x, 1, 5)",
                "leaky_relu(x); leaky_relu(x, 0.01)",
                "div(x, m, rounding_mode='trunc'); div_trunc(x, m)",
                "divide(x, m, rounding_mode=\"floor\"); (x // m)",
                "gelu(x, approximate='tanh'); gelu_tanh(x)",
                "rsub(x, 1); (1 - x)",
                "add(x, other=m); (x + m)",
                "hardtanh(x, max_val=2); clamp(x, (-1), 2)",
                "power(x, 2) + absolute(m); ((x ** 2) + abs(m))",
                "arctan2(x, m); atan2(x, m)",
                "x.maximum(0.5); maximum(x, 0.5)",
                "((x)); x",
                "+x; x",
                "sin(x,); sin(x)"
            })
    void callsAreReadByEveryName(String text, String printed) {
        assertThat(read(text)).isEqualTo(printed);
    }

    @Test
    void aNameGivenByTheCallerCountsBeforeAConstant() {
        Expr e = Input.of("mine", FLOAT32, Shape.SCALAR);
        assertThat(ExprParser.parse("e", Map.of("e", e))).isSameAs(e);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            quoteCharacter = '`',
            value = {
                "x + y => 4 => Cannot find name 'y'; the names are m, s, x",
                "x * ss => 4 => Cannot find name 'ss'; did you mean 's'? the names are m, s, x",
                "sqr(x) => 0 => Cannot find function 'sqr'; did you mean 'sqrt'?",
                "1 + max(x) => 4 => Cannot tell which 'max' is meant; write maximum(a, b) for two tensors, or amax(x, dim)",
                "sqrt => 0 => Cannot use the function 'sqrt' as a value; write sqrt(…)",
                "atan2(x) => 0 => Cannot call atan2: 1 argument given; it takes 2",
                "where(x, m) => 0 => Cannot call where: 2 arguments given; it takes 3",
                "x $ m => 2 => Cannot read the character '$'; use names, numbers, operators and parentheses",
                "(x + m => 0 => Cannot parse the expression: '(' was never closed; add ')'",
                "x + m) => 5 => Cannot parse the expression: unmatched ')'; remove it",
                "x m => 2 => Cannot parse the expression: unexpected 'm'; is an operator or a comma missing?",
                "x + => 3 => Cannot parse the expression: it ends where a value was expected; add a name or a number",
                "x < m < s => 6 => Cannot chain comparisons: a < b < c; write (a < b) & (b < c)",
                "x and m => 2 => Cannot use 'and' in an expression; write & with each side in parentheses",
                "not x => 0 => Cannot use 'not' in an expression; write ~",
                "x = m => 2 => Cannot use '=' in an expression; write == to compare",
                "x[0.5] => 2 => Cannot read an index: '0.5'; write one such as 0 or -1",
                "x[1:2:0] => 5 => slice step cannot be zero",
                "x[::-1] => 3 => step must be greater than zero",
                "x[] => 1 => Cannot index with nothing; write an index such as 0 or a slice such as 1:3",
                "x[0, 7] => 1 => index 7 is out of bounds for dimension 1 with size 3",
                "x[..., 0, ...] => 1 => an index can only have a single ellipsis ('...')",
                "x[0 => 1 => Cannot parse the expression: '[' was never closed; add ']'",
                "x[,] => 2 => Cannot parse the expression: unexpected ','; is an operator or a comma missing?",
                "permute(x) => 0 => Cannot call permute: dims is missing; it takes input, *dims",
                "x.narrow(0, 1) => 2 => Cannot call narrow: length is missing; it takes input, dim, start, length",
                "x.transpose(0, 1, 1) => 2 => Cannot call transpose: 4 arguments given; it takes input, dim0, dim1",
                "x.unsqueeze((0, 1)) => 2 => Cannot call unsqueeze: dim is 2 numbers; give one",
                "x.unsqueeze(0, dim=1) => 2 => Cannot call unsqueeze: dim is given twice",
                "x.flip(m) => 7 => Cannot read an integer of flip: 'm'; write one such as 0 or -1",
                "cat((x, m), 3) => 0 => Dimension out of range (expected to be in range of [-2, 1], but got 3)",
                "x.reshape(5) => 2 => shape '[5]' is invalid for input of size 6",
                "x if m else s => 2 => Cannot use 'if' in an expression; write where(condition, a, b)",
                "x || m => 2 => Cannot use '||' in an expression; write | with each side in parentheses",
                "1x => 0 => Cannot read the number '1x'; write one such as 10, 1_000, 0x1f, .5 or 1e-3",
                "007 => 0 => Cannot read the number '007': a decimal integer has no leading zeros; write 7",
                "1__0 => 0 => Cannot read the number '1__0'; write one such as 10, 1_000, 0x1f, .5 or 1e-3",
                "9223372036854775808 => 0 => Cannot read the number '9223372036854775808': it passes 64 bits; write it as a float, such as 1e20",
                "x & m => 2 => \"bitwise_and_cpu\" not implemented for 'Float'",
                "x.sum(5) => 2 => Dimension out of range (expected to be in range of [-2, 1], but got 5)",
                "sum(x, dim=(0, 0)) => 0 => dim 0 appears multiple times in the list of dims",
                "mean(x > 0) => 0 => mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Bool",
                "x + 1 / 0 => 6 => division by zero",
                "sum(x, axes=0) => 7 => Cannot use the argument 'axes' of sum; did you mean 'axis'?",
                "x.to(float3) => 5 => Cannot find dtype 'float3'; write one such as float32",
                "div(x, m, rounding_mode='up') => 0 => div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'",
                "gelu(x, approximate=tanh(x)) => 0 => Cannot call gelu: approximate is no text; write it in quotes",
                "softplus(x, m) => 0 => Cannot apply softplus: beta is a tensor; give a plain number",
                "add(x, 'a') => 0 => Cannot call add: other is text; give a tensor or a number",
                "add(x, m, alpha=2) => 10 => Cannot use the argument 'alpha' of add; its arguments are input, other",
                "pow(x, other=2) => 7 => Cannot use the argument 'other' of pow; its arguments are input, exponent",
                "addcmul(x, m, value=2) => 0 => Cannot call addcmul: tensor2 is missing; give a tensor or a number",
                "add(x, None) => 0 => Cannot call add: other is missing; give a tensor or a number",
                "x.transposed() => 2 => Cannot find function 'transposed'; did you mean 'transpose'?",
                "x.frobnicate() => 2 => Cannot find function 'frobnicate'; docs/ops.md lists all functions",
                "add(x, m, s) => 0 => Cannot call add: 3 arguments given; it takes 2",
                "x + 'a => 4 => Cannot read the text: ' was never closed; add '",
                "to(x > 0, int64) // 0 => 17 => ZeroDivisionError",
                "x.to('cuda', float64) => 2 => Cannot call to: an expression does not move its values from cpu to cuda; say where it is computed: compute(Device), --device, or spark.broadloom.device",
                "x.to(float64, 'cpu') => 14 => Cannot read non_blocking: ''cpu''; write True or False",
                "x.to(float64, dtype=int8) => 2 => Cannot call to: dtype is given twice",
                "x.to('cpu', float64, True, True, True) => 2 => Cannot call to: 6 arguments given; it takes a dtype, a device and a dtype, or another tensor, then non_blocking and copy",
                "cast(x) => 0 => Cannot call cast: 1 argument given; it takes a value and a dtype",
                "var(x, True, correction=0) => 0 => Cannot call var: unbiased and correction are both given; give one of them",
                "var(x, True, True) => 0 => Cannot call var: unbiased is given twice",
                "quantile(x, m[0]) => 0 => Cannot call quantile: the values of q are not known yet, and the result depends on them; give plain numbers, or a tensor of this machine",
                "x.narrow(0, to(s, int64), 1) => 12 => start must be an 0-dim integral Tensor.",
                "round(x, 1.5) => 0 => Cannot call round: decimals is no integer; write one such as 2",
                "9223372036854775808 - x => 0 => Cannot read the number '9223372036854775808': it passes 64 bits; write it as a float, such as 1e20",
                "-9223372036854775809 => 1 => Cannot read the number '9223372036854775809': it passes 64 bits; write it as a float, such as 1e20",
                "-9223372036854775808 ** 2 => 1 => Cannot read the number '9223372036854775808': it passes 64 bits; write it as a float, such as 1e20",
                "clamp(x) => 0 => torch.clamp: At least one of 'min' or 'max' must not be None",
                "(x > 0) - (m > 0) => 8 => Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
            })
    void aMistakeIsNamedInOneSentenceWithACaretUnderIt(String text, int position, String sentence) {
        ExprSyntaxException refusal = refusal(text);
        assertThat(refusal).isNotNull();
        assertThat(refusal.sentence()).isEqualTo(sentence);
        assertThat(refusal.position()).isEqualTo(position);
        assertThat(refusal).hasMessage(sentence + "\n    " + text + "\n    " + " ".repeat(position) + "^");
    }

    @Test
    void shapesThatDoNotBroadcastKeepPyTorchsTextWithTheCaretAtTheOperator() {
        Map<String, Expr> names =
                Map.of("a", Input.of("a", FLOAT32, Shape.of(2)), "b", Input.of("b", FLOAT32, Shape.of(3)));
        assertThatThrownBy(() -> ExprParser.parse("1 + a * b", names))
                .isInstanceOf(ExprSyntaxException.class)
                .hasMessage(
                        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0\n"
                                + "    1 + a * b\n          ^");
    }

    @Test
    void theCaretStandsUnderItsOwnLine() {
        assertThat(refusal("x +\n  y\n + m")).hasMessageEndingWith("\n      y\n      ^");
    }

    @Test
    void plusOfABoolTensorIsRefusedAsInPyTorch() {
        assertThatThrownBy(() -> ExprParser.parse("+a", Map.of("a", Input.of("a", BOOL, Shape.of(2)))))
                .hasMessageStartingWith("The `+` operator, on a bool tensor is not supported.");
    }

    @Test
    void anEmptyExpressionIsRefused() {
        assertThat(refusal("  ").sentence()).startsWith("Cannot parse an empty expression");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "-", "~", "sin(", "2**", "x.sum(", "x**-", "1+(", "where("})
    void hostileNestingIsRefusedAndNeverOverflowsTheStack(String piece) {
        assertThat(refusal(piece.repeat(1500))).isNotNull();
        assertThat(refusal(piece.repeat(100_000)).sentence()).contains("characters; use at most");
    }

    @Test
    void aLongChainOfOperatorsIsRead() {
        Expr chain = ExprParser.parse("x" + "+x".repeat(4000), TENSORS);
        assertThat(chain.postOrder()).hasSize(4001);
        assertThat(chain.inputs()).hasSize(1);
    }

    @Test
    void deepNestingUpToTheLimitIsRead() {
        assertThat(read("(".repeat(ExprParser.MAX_DEPTH) + "x" + ")".repeat(ExprParser.MAX_DEPTH)))
                .isEqualTo("x");
    }

    @Test
    void aSumOfIntegersIsInt64() {
        assertThat(ExprParser.parse("sum(a)", INTEGERS).dtype()).isEqualTo(INT64);
    }
}
