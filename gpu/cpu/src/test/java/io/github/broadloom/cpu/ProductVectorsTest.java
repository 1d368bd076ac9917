package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Products;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of matrices and Einstein's sums against the results and the errors of PyTorch. */
class ProductVectorsTest {
    private static final CpuBackend BACKEND = new CpuBackend();

    static Stream<Named<JsonNode>> product() {
        return Golden.lines("product.jsonl", "product");
    }

    static Stream<Named<JsonNode>> einsum() {
        return Golden.lines("product.jsonl", "einsum");
    }

    private static List<Expr> operands(JsonNode line) {
        List<Expr> operands = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            if (line.has(name)) {
                operands.add(Input.of(Vectors.tensor(line.get(name))));
            }
        }
        return operands;
    }

    @ParameterizedTest
    @MethodSource
    void product(JsonNode line) {
        check(line, multiplied(line.get("op").asText(), operands(line)));
    }

    private interface Built {
        Expr expr();
    }

    private static Built multiplied(String op, List<Expr> operands) {
        Expr a = operands.get(0);
        Expr b = operands.get(1);
        return switch (op) {
            case "mm" -> () -> Products.mm(a, b);
            case "bmm" -> () -> Products.bmm(a, b);
            case "mv" -> () -> Products.mv(a, b);
            case "dot" -> () -> Products.dot(a, b);
            default -> () -> Products.matmul(a, b);
        };
    }

    @ParameterizedTest
    @MethodSource
    void einsum(JsonNode line) {
        List<Expr> operands = operands(line);
        check(line, () -> Einsum.of(line.get("equation").asText(), operands));
    }

    private static void check(JsonNode line, Built built) {
        if (line.has("error")) {
            assertThatThrownBy(built::expr)
                    .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class)
                    .hasMessage(line.get("error").asText());
        } else {
            Vectors.check(BACKEND.evaluate(built.expr()), line);
        }
    }
}
