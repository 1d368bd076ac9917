package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels against the results that PyTorch computed. */
class ConformanceTest {
    private static final CpuBackend BACKEND = new CpuBackend();

    static Stream<Named<JsonNode>> binary() {
        return Golden.lines("binary.jsonl", "binary").filter(ConformanceTest::known);
    }

    static Stream<Named<JsonNode>> unary() {
        return Golden.lines("unary.jsonl", "unary").filter(ConformanceTest::known);
    }

    static Stream<Named<JsonNode>> where() {
        return Golden.lines("ternary.jsonl", "where");
    }

    static Stream<Named<JsonNode>> reduce() {
        return Golden.lines("reduce.jsonl", "reduce")
                .filter(line -> Arrays.stream(Reduction.values())
                        .anyMatch(known -> known.torchName()
                                .equals(line.getPayload().get("op").asText())));
    }

    private static boolean known(Named<JsonNode> line) {
        return Op.find(line.getPayload().get("op").asText()).isPresent();
    }

    private static Expr input(JsonNode operand) {
        return Input.of(Vectors.tensor(operand));
    }

    @ParameterizedTest
    @MethodSource
    void binary(JsonNode line) {
        Expr a = input(line.get("a"));
        Expr b = line.has("scalar") ? Expr.literal(Vectors.number(line.get("scalar"))) : input(line.get("b"));
        check(line, () -> Expr.apply(Op.of(line.get("op").asText()), a, b));
    }

    @ParameterizedTest
    @MethodSource
    void unary(JsonNode line) {
        check(line, () -> Expr.apply(Op.of(line.get("op").asText()), input(line.get("a"))));
    }

    @ParameterizedTest
    @MethodSource
    void where(JsonNode line) {
        check(
                line,
                () -> Expr.apply(Op.of("where"), input(line.get("mask")), input(line.get("a")), input(line.get("b"))));
    }

    @ParameterizedTest
    @MethodSource
    void reduce(JsonNode line) {
        Reduction reduction = Reduction.valueOf(line.get("op").asText().toUpperCase(Locale.ROOT));
        boolean all = line.get("dims").isNull();
        int[] none = reduction == Reduction.AMIN || reduction == Reduction.AMAX // they have no null: all are named
                ? IntStream.range(0, line.get("a").get("shape").size()).toArray()
                : new int[0];
        int[] dims = all ? none : Golden.ints(line.get("dims"));
        check(
                line,
                () -> Expr.reduce(
                        reduction,
                        input(line.get("a")),
                        dims,
                        line.path("keepdim").asBoolean(false)));
    }

    private static void check(JsonNode line, Supplier<Expr> expr) {
        if (line.has("error")) {
            assertThatThrownBy(expr::get).hasMessage(line.get("error").asText());
        } else {
            Vectors.check(BACKEND.evaluate(expr.get()), line);
        }
    }
}
