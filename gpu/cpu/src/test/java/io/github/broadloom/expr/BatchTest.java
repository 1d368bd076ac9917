package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many rows at once against one row after the other. */
class BatchTest {
    private static final Backend CPU = Devices.backend(Device.CPU);
    private static final int ROWS = 5;

    /** The same expression over one tensor of each row, and over a tensor that the rows have in common. */
    private static void check(String text, boolean sameBits) {
        Random random = new Random(7);
        Map<String, List<Tensor>> rows = Map.of(
                "x", rows(random, DType.FLOAT32, 3, 4),
                "v", rows(random, DType.FLOAT32, 4),
                "i", rows(random, DType.INT32, 4),
                "d", rows(random, DType.FLOAT64),
                "n", rows(random, DType.INT64),
                "b", rows(random, DType.BOOL, 3, 1));
        Map<String, Expr> common = Map.of("c", Input.of(made(random, DType.FLOAT32, 2, 3, 1)), "m", matrix(random));
        Expr row = ExprParser.parse(text, names(common, rows, (name, tensors) -> {
            Tensor model = tensors.get(0);
            return Input.of(tensors, model.dtype(), model.shape());
        }));
        Expr batch = Batch.of(row, ROWS, input -> stackOf(input, rows));
        assertThat(batch.dtype()).isEqualTo(row.dtype());
        Tensor all = CPU.evaluate(batch);
        assertThat(all.shape()).isEqualTo(row.shape().withLeading(ROWS));
        for (int i = 0; i < ROWS; i++) {
            Tensor alone = CPU.evaluate(alone(text, common, rows, i));
            Tensor together = all.select(0, i);
            if (sameBits) {
                assertThat(together.values()).as("row %d of %s", i, text).isEqualTo(alone.values());
            } else {
                assertThat(together.toDoubleArray()).as("row %d of %s", i, text).hasSize((int) alone.numel());
                for (int k = 0; k < alone.numel(); k++) {
                    assertThat(together.toDoubleArray()[k])
                            .isCloseTo(alone.toDoubleArray()[k], Percentage.withPercentage(1e-4));
                }
            }
        }
    }

    private static Expr alone(String text, Map<String, Expr> common, Map<String, List<Tensor>> rows, int row) {
        return ExprParser.parse(text, names(common, rows, (name, tensors) -> Input.of(tensors.get(row))));
    }

    private static Map<String, Expr> names(
            Map<String, Expr> common, Map<String, List<Tensor>> rows, BiFunction<String, List<Tensor>, Expr> input) {
        Map<String, Expr> names = new HashMap<>(common);
        rows.forEach((name, tensors) -> names.put(name, input.apply(name, tensors)));
        return names;
    }

    private static Expr stackOf(Input input, Map<String, List<Tensor>> rows) {
        for (List<Tensor> tensors : rows.values()) {
            if (input.source() == tensors) {
                return Input.of(stacked(tensors));
            }
        }
        return input;
    }

    private static Tensor stacked(List<Tensor> tensors) {
        return CPU.evaluate(ViewOps.stack(
                tensors.stream().map(Input::of).map(Expr.class::cast).toList(), 0));
    }

    private static Expr matrix(Random random) {
        return Input.of(made(random, DType.FLOAT32, 4, 2));
    }

    private static List<Tensor> rows(Random random, DType dtype, long... sizes) {
        List<Tensor> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(made(random, dtype, sizes));
        }
        return rows;
    }

    private static Tensor made(Random random, DType dtype, long... sizes) {
        int numel = (int) Arrays.stream(sizes).reduce(1, Math::multiplyExact);
        double[] values = random.doubles(numel, -9, 9).toArray();
        return Tensors.copyOf(values, numel).reshape(sizes).to(dtype);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x + v",
                "v + d",
                "d + v",
                "i * d",
                "i / n",
                "n / 2",
                "v * 2.5",
                "x > d",
                "where(b, x, v)",
                "x + c",
                "c * d",
                "x.T",
                "x[1]",
                "x[:, 1:3]",
                "x[1:, None, ::2]",
                "x.reshape(2, 6)",
                "x.flip(0)",
                "x.reshape(12)[3]",
                "cat((x, x + 1), 0)",
                "stack((v, v * 2), 1)",
                "d.expand(3)",
                "v.expand(3, 4)",
                "c",
                "x.sum(0)",
                "x.sum(1, keepdim=True)",
                "d.sum()",
                "v.argmax()",
                "x.argmax()",
                "x.amax()",
                "cumsum(v, 0)",
                "v.median()",
                "x.median()",
                "(x * v).sum(1)",
                "v.to(float64) + d",
                "i.float16() * d",
                "matmul(x, m)",
                "x @ v",
                "v @ v",
                "clamp(x, -1, d)",
                "v.std()",
                "x - v.mean()",
                "(v - v.mean()) / v.std()",
                "isnan(d)",
                "pow(v, 2)",
                "bitwise_and(i, 3)",
                "~b",
                "n // 2",
                "x.unsqueeze(0) + c.unsqueeze(1)",
                "bucketize(x, sort(v.expand(20, 4).reshape(80)))",
                "bucketize(c, sort(v.expand(20, 4).reshape(80)), right=True)",
                "searchsorted(sort(x.unsqueeze(1).expand(3, 20, 4).reshape(3, 80)), x * 0.9)",
                "isin(x.int(), (c * v).int().unsqueeze(0).expand(9, 2, 3, 4))"
            })
    void eachRowHasItsOwnBits(String text) {
        check(text, true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.sum()", "x.mean()", "(c * x).sum()", "x.std()", "x - x.mean()"})
    void aSumOverSeveralDimensionsIsInAnotherOrder(String text) {
        check(text, false);
    }
}
