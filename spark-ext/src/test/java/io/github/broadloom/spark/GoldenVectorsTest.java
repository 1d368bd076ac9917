package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The conformance vectors give the same bits on Spark, in any number of chunks, as without it; whether they are PyTorch's is seen where all of them run on Spark, once. */
@Tag("full")
class GoldenVectorsTest {
    /** Enough to meet every shape and dtype, few enough to be quick: each vector is a Spark job. */
    private static final int EVERY = 6;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void binaryVectorsGiveTheSameBitsInAnyChunks(int chunks) {
        List<JsonNode> vectors =
                Golden.lines("binary.jsonl").filter(v -> v.has("expect")).toList();
        int run = 0;
        for (int i = chunks % EVERY; i < vectors.size(); i += EVERY) {
            JsonNode vector = vectors.get(i);
            Optional<Op> op = Op.find(vector.get("op").asText());
            if (op.isEmpty()) {
                continue;
            }
            run++;
            Tensor a = tensor(vector.get("a"));
            if (vector.has("b")) {
                Tensor b = tensor(vector.get("b"));
                compare(vector, chunks, List.of(a, b), in -> Expr.apply(op.get(), in.get(0), in.get(1)));
            } else {
                Expr scalar = Expr.literal(number(vector.get("scalar")));
                compare(vector, chunks, List.of(a), in -> Expr.apply(op.get(), in.get(0), scalar));
            }
        }
        assertThat(run).isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void unaryVectorsGiveTheSameBitsInAnyChunks(int chunks) {
        List<JsonNode> vectors =
                Golden.lines("unary.jsonl").filter(v -> v.has("expect")).toList();
        int run = 0;
        for (int i = chunks % EVERY; i < vectors.size(); i += EVERY) {
            JsonNode vector = vectors.get(i);
            Optional<Op> op = Op.find(vector.get("op").asText());
            if (op.isPresent() && op.get().arity() == 1) {
                run++;
                compare(vector, chunks, List.of(tensor(vector.get("a"))), in -> Expr.apply(op.get(), in.get(0)));
            }
        }
        assertThat(run).isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void reductionsGiveTheSameBitsInAnyChunks(int chunks) {
        int run = 0;
        List<JsonNode> vectors =
                Golden.lines("reduce.jsonl").filter(v -> v.has("expect")).toList();
        for (JsonNode vector : vectors) {
            Optional<Reduction> reduction = reduction(vector.get("op").asText());
            if (reduction.isEmpty()) {
                continue;
            }
            run++;
            int[] dims = vector.get("dims").isNull() ? new int[0] : ints(vector.get("dims"));
            KeepDim keepDim = KeepDim.of(vector.get("keepdim").asBoolean(false));
            compare(
                    vector,
                    chunks,
                    List.of(tensor(vector.get("a"))),
                    in -> Expr.reduce(reduction.get(), in.get(0), keepDim, dims));
        }
        assertThat(run).isGreaterThan(400);
    }

    private static void compare(JsonNode vector, int chunks, List<Tensor> operands, Function<List<Expr>, Expr> build) {
        List<Expr> inputs = new ArrayList<>();
        List<Expr> placed = new ArrayList<>();
        for (Tensor operand : operands) {
            inputs.add(Input.of(operand));
            placed.add(LocalSpark.broadloom().tensor(operand, chunks).expr());
        }
        DistributedTensor any = LocalSpark.broadloom().tensor(operands.get(0));
        Tensor expected = Bits.local(build.apply(inputs));
        Tensor got = any.withExpr(build.apply(placed)).collect();
        assertThat(got.shape()).as(vector.get("id").asText()).isEqualTo(expected.shape());
        assertThat(got.dtype()).as(vector.get("id").asText()).isEqualTo(expected.dtype());
        assertThat(Bits.of(got)).as(vector.get("id").asText()).isEqualTo(Bits.of(expected));
    }

    private static Optional<Reduction> reduction(String name) {
        for (Reduction reduction : Reduction.values()) {
            if (reduction.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(reduction);
            }
        }
        return Optional.empty();
    }

    private static int[] ints(JsonNode node) {
        return node.isArray() ? Golden.ints(node) : new int[] {node.intValue()};
    }

    private static Object number(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isIntegralNumber() ? (Object) node.longValue() : (Object) real(node);
    }

    private static double real(JsonNode node) {
        return node.isTextual() ? Double.parseDouble(node.textValue()) : node.doubleValue();
    }

    private static Tensor tensor(JsonNode node) {
        DType dtype = DType.of(node.get("dtype").asText());
        Layout layout = Layout.of(
                Shape.of(Golden.longs(node.get("shape"))),
                Golden.longs(node.get("stride")),
                node.get("offset").longValue());
        List<Object> values = new ArrayList<>();
        for (JsonNode value : node.get("storage")) {
            values.add(dtype.isFloatingPoint() ? (Object) real(value) : number(value));
        }
        return Tensors.fromStorageValues(dtype, layout, values);
    }
}
