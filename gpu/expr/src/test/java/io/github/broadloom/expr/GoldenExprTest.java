package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.rewrite.Simplifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Dtypes, shapes, errors and values of every operation against those that PyTorch computed. */
class GoldenExprTest {
    private static final Scalars SCALARS = new Scalars();

    static Stream<Arguments> pointwise() {
        return Stream.of("binary.jsonl", "unary.jsonl", "ternary.jsonl")
                .flatMap(file -> Golden.lines(file))
                .filter(line -> List.of("binary", "unary", "where", "clamp", "lerp", "addcmul", "addcdiv")
                        .contains(line.get("kind").asText()))
                .map(line -> Arguments.of(line.get("id").asText(), line));
    }

    static Stream<Arguments> reductions() {
        List<String> names =
                Stream.of(Reduction.values()).map(Reduction::torchName).toList();
        return Golden.lines("reduce.jsonl")
                .filter(line -> names.contains(line.get("op").asText()))
                .map(line -> Arguments.of(line.get("id").asText(), line));
    }

    private static Expr pointwise(JsonNode line) {
        String kind = line.get("kind").asText();
        Expr a = Operands.operand(line.get("a")).input();
        if (kind.equals("clamp")) {
            JsonNode min = line.get("min");
            JsonNode max = line.get("max");
            if (min.isNull() || max.isNull()) {
                return Expr.apply(min.isNull() ? Ops.CLAMP_MAX : Ops.CLAMP_MIN, a, operand(min.isNull() ? max : min));
            }
            return Expr.apply(Ops.CLAMP, a, operand(min), operand(max));
        }
        if (kind.equals("where")) {
            return Expr.apply(Ops.WHERE, operand(line.get("mask")), a, operand(line.get("b")));
        }
        if (kind.equals("lerp")) {
            return Expr.apply(Ops.LERP, a, operand(line.get("b")), operand(line.get("weight")));
        }
        if (kind.startsWith("addc")) {
            return Expr.apply(
                    Op.of(kind), a, operand(line.get("b")), operand(line.get("c")), operand(line.get("value")));
        }
        Op op = Op.of(line.get("op").asText());
        if (kind.equals("unary")) {
            return Expr.apply(op, a);
        }
        return Expr.apply(op, a, operand(line.has("b") ? line.get("b") : line.get("scalar")));
    }

    private static Expr operand(JsonNode node) {
        return node.isObject() ? Operands.operand(node).input() : Expr.literal(Operands.number(node));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pointwise")
    void everyPointwiseVectorHasPyTorchsTypeShapeErrorAndValues(String id, JsonNode line) throws Exception {
        if (line.has("error")) {
            assertThatThrownBy(() -> pointwise(line))
                    .hasMessage(line.get("error").asText());
            return;
        }
        Expr expr = pointwise(line);
        JsonNode expect = line.get("expect");
        assertThat(expr.dtype().torchName()).isEqualTo(expect.get("dtype").asText());
        assertThat(expr.shape()).isEqualTo(Operands.shape(expect.get("shape")));
        List<Object> values = Operands.values(expect.get("values"), expr.dtype());
        for (Expr form : List.of(expr, Simplifier.simplify(expr))) {
            assertValues(SCALARS.evaluate(form), values, line, expr.dtype());
        }
        assertThat(SCALARS.evaluate(Simplifier.simplify(expr))).isEqualTo(SCALARS.evaluate(expr));
    }

    private static void assertValues(List<Object> got, List<Object> expected, JsonNode line, DType dtype) {
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.size(); i++) {
            if (!dtype.isFloatingPoint()) {
                assertThat(got.get(i)).isEqualTo(expected.get(i));
            } else {
                assertClose((Double) got.get(i), (Double) expected.get(i), line, dtype);
            }
        }
    }

    private static void assertClose(double got, double expected, JsonNode line, DType dtype) {
        if (Double.isNaN(expected) || Double.isInfinite(expected)) {
            assertThat((Object) got).isEqualTo(expected); // as objects, so that NaN equals NaN
            return;
        }
        assertThat(Math.abs(got - expected))
                .as("got %s, expected %s", got, expected)
                .isLessThanOrEqualTo(line.get("ulp").asInt() * ulp(expected, dtype)
                        + line.path("atol").asDouble());
        if (line.path("signed_zero").asBoolean() && expected == 0) {
            assertThat(Math.copySign(1, got)).as("sign of zero").isEqualTo(Math.copySign(1, expected));
        }
    }

    private static double ulp(double value, DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> Math.ulp(value);
            case FLOAT32 -> Math.ulp((float) value);
            default -> {
                short bits = dtype.reduced().fromDouble(Math.abs(value));
                yield dtype.reduced().toFloat((short) (bits + 1))
                        - dtype.reduced().toFloat(bits);
            }
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reductions")
    void everyReductionVectorHasPyTorchsTypeShapeAndError(String id, JsonNode line) {
        Expr operand = Operands.operand(line.get("a")).input();
        // amin and amax have no null, so their vectors name every dimension
        boolean all = line.get("dims").isNull() && line.get("op").asText().startsWith("am");
        int[] dims = new int[all ? operand.shape().rank() : line.get("dims").size()];
        for (int i = 0; i < dims.length; i++) {
            dims[i] = all ? i : line.get("dims").get(i).asInt();
        }
        Reduction reduction = Stream.of(Reduction.values())
                .filter(r -> r.torchName().equals(line.get("op").asText()))
                .findFirst()
                .orElseThrow();
        KeepDim keepDim = KeepDim.of(line.path("keepdim").asBoolean());
        if (line.has("error")) {
            assertThatThrownBy(() -> Expr.reduce(reduction, operand, keepDim, dims))
                    .hasMessage(line.get("error").asText());
            return;
        }
        Expr reduced = Expr.reduce(reduction, operand, keepDim, dims);
        assertThat(reduced.dtype().torchName())
                .isEqualTo(line.get("expect").get("dtype").asText());
        assertThat(reduced.shape()).isEqualTo(Operands.shape(line.get("expect").get("shape")));
    }
}
