package io.github.broadloom.cpu;

import static io.github.broadloom.cpu.Programs.bits;
import static io.github.broadloom.cpu.Programs.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that read and write memory where it lies give the bits that tiles give. */
class DirectPassTest extends DirectRuns {
    @ParameterizedTest
    @ValueSource(longs = {64, 65, 71, 72, 1000, 4096, 16384, 16385, 40003, 100_000})
    void oneLoopOfAnyLength(long length) {
        Map<String, Tensor> names =
                Map.of("x", dense(DType.FLOAT32, length), "y", dense(DType.FLOAT32, length), "c", dense(DType.FLOAT32));
        assertSame("(x - y) * 1.5 + c", names);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 64", "5, 3, 77", "2, 7, 300", "40, 3, 1000", "2, 2, 33000"})
    void aNumberForEachRow(long images, long channels, long pixels) {
        Map<String, Tensor> names = Map.of(
                "x", dense(DType.FLOAT32, images, channels, pixels),
                "mean", dense(DType.FLOAT32, channels, 1),
                "scale", dense(DType.FLOAT32, channels, 1));
        assertSame("(x - mean) * scale", names);
        assertSame("x / (mean * scale - 2)", names);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 2",
        "341, 3",
        "2000, 3",
        "70000, 3",
        "33, 4",
        "5000, 7",
        "1000, 63",
        "200, 64",
        "200, 65",
        "50, 300"
    })
    void aNumberForEachColumn(long pixels, long channels) {
        Map<String, Tensor> names = Map.of(
                "u", dense(DType.UINT8, pixels, channels),
                "mean", dense(DType.FLOAT32, channels),
                "std", dense(DType.FLOAT32, channels));
        assertSame("(float32(u) / 255 - mean) / std", names);
    }

    @ParameterizedTest
    @CsvSource({"70, 64", "70, 71", "300, 255", "40, 257", "9, 2048", "9, 2049", "3, 40003"})
    void oneRowForAllRows(long rows, long columns) {
        Map<String, Tensor> names = Map.of(
                "x", dense(DType.FLOAT32, rows, columns),
                "bias", dense(DType.FLOAT32, columns),
                "images", dense(DType.INT16, 2, 1, columns),
                "pair", dense(DType.FLOAT32, 2, 1, columns));
        assertSame("x * 2 + bias", Map.of("x", names.get("x"), "bias", names.get("bias")));
        assertSame("pair - x + float32(images) * bias", names);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 32", "2, 2, 33", "4, 2, 50", "8, 1, 1000", "2, 4, 37", "16, 1, 90"})
    void fewNumbersForEachRow(long period, long repeated, long times) {
        Map<String, Tensor> names = Map.of(
                "a", dense(DType.FLOAT32, 1, times, period, repeated),
                "b", dense(DType.FLOAT32, 70, 1, period, 1),
                "i", dense(DType.INT8, period, 1),
                "c", dense(DType.FLOAT32, 70, 1, 1, 1));
        if (period * repeated <= 8) {
            assertSame("a - b * c - float32(i)", names);
        } else {
            Tensor target = Tensors.zeros(70, times, period, repeated);
            assertThat(runs("a - b * c - float32(i)", names, target, 1))
                    .as("patterns of 16, other ones for each row")
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x + y",
                "x - y",
                "x * y",
                "x / y",
                "sqrt(x)",
                "-x * y",
                "abs(x)",
                "square(x)",
                "maximum(x, y)",
                "minimum(x, y)",
                "clamp(x, -0.5, 0.25)",
                "clamp_min(x, 0)",
                "clamp_max(x, 0)",
                "relu(x)",
                "where(x < y, x, 2)",
                "where(x <= y, x + 1, y)",
                "where(x > y, x, y)",
                "where(x >= 0.25, x * y, y)",
                "where(x == y, -1, x)",
                "where(x != y, y - x, 0.5)"
            })
    void everyOperationOnVectors(String text) {
        Tensor x = dense(DType.FLOAT32, 203);
        Tensor y = dense(DType.FLOAT32, 203);
        double[] special = {
            0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-45, -1e-40, 3e38
        };
        for (int i = 0; i < special.length; i++) {
            for (int j = 0; j < special.length; j++) {
                x.set(special[i], 8 * i + j);
                y.set(special[j], 8 * i + j);
            }
        }
        x.set(-0.0, 202);
        Map<String, Tensor> names = text.contains("y") ? Map.of("x", x, "y", y) : Map.of("x", x);
        assertSame(text, names);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exp(x)",
                "exp(-x)",
                "tanh(x) * y",
                "where(x > y, tanh((x - y) * 1.5) + exp(-x * x), 0.1 * x)",
                "exp(tanh(exp(x) - y))",
                "exp(x) + exp(x) * tanh(exp(x) + y)",
                "(x + y) * exp(x + y) - tanh(x + y)",
                "where(exp(x) > y, exp(x), y)",
                "exp2(x) + row",
                "float32(i) * exp(float32(i) * 0.01)",
                "exp(bias) + x",
                "x * tanh(pair) + exp(pair + row)",
                "exp(float32(h)) * x",
                "where(m, exp(x), y)"
            })
    void functionsAreCalledBetweenLoops(String text) {
        Map<String, Tensor> names = Map.of(
                "x", dense(DType.FLOAT32, 9, 301, 2),
                "y", dense(DType.FLOAT32, 9, 301, 2),
                "row", dense(DType.FLOAT32, 9, 1, 1),
                "bias", dense(DType.FLOAT32, 301, 2),
                "pair", dense(DType.FLOAT32, 9, 1, 2),
                "i", dense(DType.INT16, 9, 301, 2),
                "h", dense(DType.FLOAT16, 9, 301, 2),
                "m", dense(DType.BOOL, 301, 2));
        names = names.entrySet().stream()
                .filter(name -> text.matches(".*\\b" + name.getKey() + "\\b.*"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertSame(text, names);
    }

    @Test
    void aFunctionOfOneNumberForEachRowGoesThroughTiles() {
        Map<String, Tensor> names = Map.of("x", dense(DType.FLOAT32, 9, 602), "row", dense(DType.FLOAT32, 9, 1));
        assertThat(runs("x * exp(row)", names, Tensors.zeros(9, 602), 1)).isFalse();
    }

    @Test
    void viewsThatKeepTheirRowsTogether() {
        Tensor wide = dense(DType.FLOAT32, 50, 3, 200);
        Map<String, Tensor> names = Map.of(
                "x", wide.narrow(2, 17, 100).narrow(0, 3, 40),
                "y", dense(DType.FLOAT32, 3, 100).narrow(0, 1, 1),
                "z", dense(DType.FLOAT32, 40, 1, 100).expand(40, 3, 100));
        assertSame("x * y + z", names);
        Tensor target = dense(DType.FLOAT32, 60, 3, 128);
        Tensor part = target.narrow(0, 10, 40).narrow(2, 5, 100);
        float[] before = target.toFloatArray();
        assertThat(runs("x * y + z", names, part, 2)).isTrue();
        assertThat(bits(part)).isEqualTo(bits(TILES.evaluate(parse("x * y + z", names), 1)));
        assertThat(target.narrow(0, 0, 10).toFloatArray()).isEqualTo(Arrays.copyOf(before, 10 * 3 * 128));
    }

    @Test
    void aTargetThatIsAnOperandToo() {
        Tensor x = dense(DType.FLOAT32, 1001);
        Tensor expected = TILES.evaluate(parse("x * 2 + 1", Map.of("x", x)), 1);
        assertThat(runs("x * 2 + 1", Map.of("x", x), x, 1)).isTrue();
        assertThat(bits(x)).isEqualTo(bits(expected));
    }

    @Test
    void otherStridesGoThroughTiles() {
        Tensor x = dense(DType.FLOAT32, 100, 200);
        for (Tensor view : List.of(x.t(), x.slice(1, null, null, 2))) {
            Tensor y = Tensors.zeros(view.shape(), DType.FLOAT32);
            Layout layout = view.layout();
            assertThat(runs("x + y", Map.of("x", view, "y", y), Tensors.zeros(view.shape(), DType.FLOAT32), 1))
                    .as(layout.toString())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x > 0",
                "float64(x) * 2",
                "x",
                "float16(x) * 0.5",
                "where(x > 0, x > 1, x > 2)",
                "exp(x) + tanh(x) + log(x) + sin(x) + sqrt(exp2(x))"
            })
    void otherProgramsGoThroughTiles(String text) {
        Tensor x = dense(DType.FLOAT32, 1000);
        Expr expr = parse(text, Map.of("x", x));
        assertThat(runs(text, Map.of("x", x), Tensors.empty(expr.dtype(), expr.shape()), 1))
                .isFalse();
    }

    @Test
    void aLargeTensorTakesThisWayByItself() {
        int rows = 40;
        int columns = 30_011;
        float[] x = new float[rows * columns];
        float[] mean = new float[rows];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 977 / 16f;
        }
        for (int i = 0; i < rows; i++) {
            mean[i] = i * 0.75f;
        }
        Tensor result = LazyTensor.eval(
                        "(x - mean) * 0.5",
                        Map.of("x", Tensors.copyOf(x, rows, columns), "mean", Tensors.copyOf(mean, rows, 1)))
                .compute();
        float[] expected = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            expected[i] = (x[i] - mean[i / columns]) * 0.5f;
        }
        assertThat(result.toFloatArray()).isEqualTo(expected);
    }
}
