package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reductions of one operand read it once on a GPU, and each has the bits that it has by itself and on the CPU. */
@Tag("full")
@WithFakeGpu
class SharedReductionsTest {
    private static final Device CUDA = Device.of("cuda");
    private static final String LAUNCH = "cuLaunchKernel";

    private final Random random = new Random(31);
    private final List<LazyTensor> cases = new ArrayList<>();

    private Tensor random(DType dtype, long... shape) {
        return WildValues.tensor(random, dtype, shape);
    }

    private void add(String expression, Tensor x) {
        cases.add(LazyTensor.eval(expression, Map.of("x", x)));
    }

    private void runAll() {
        Rehearsal.compile(() -> cases.forEach(one -> one.compute(CUDA)));
        List<String> wrong = new ArrayList<>();
        for (LazyTensor one : cases) {
            if (!one.compute(CUDA).values().equals(one.compute().values())) {
                wrong.add(one.expr() + " of " + one.shape());
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static int kernels(String expression, Tensor x) {
        return kernels("bl_fold", expression, x);
    }

    private static int kernels(String entry, String expression, Tensor x) {
        return LazyTensor.eval(expression, Map.of("x", x))
                        .explain(CUDA, Detail.PLAN)
                        .split("kernel " + entry, -1)
                        .length
                - 1;
    }

    @Test
    void meanWithStdIsOneKernel() {
        Tensor x = random(DType.FLOAT32, 40, 1000);
        assertThat(kernels("(x - mean(x, 0, keepdim=True)) / std(x, 0, keepdim=True)", x))
                .isEqualTo(1);
        assertThat(kernels("cat([amin(x, 1), amax(x, 1), mean(x, 1), std(x, 1)], 0)", x))
                .isEqualTo(1);
        assertThat(kernels("cat([sum(x, 1), mean(x, 1), var(x, 1), std(x, 1)], 0)", x))
                .isEqualTo(1);
        assertThat(kernels("amax(x, 1) + argmax(x, 1)", x)).isEqualTo(1);
        assertThat(kernels("mean(x, 1) + std(x * 2, 1)", x)).isEqualTo(2);
        assertThat(kernels("mean(x, 1).unsqueeze(1) + mean(x, 0)", x)).isGreaterThan(1);
    }

    @Test
    void whatIsPairedStaysInTiles() {
        Tensor x = random(DType.FLOAT32, 70, 1, 64);
        String pairs = "((x - x.transpose(0, 1)) ** 2)";
        String both = "sum(" + pairs + ", 2) + amax(" + pairs + ", 2)";
        assertThat(LazyTensor.eval(both, Map.of("x", x))
                        .explain(CUDA, Detail.SOURCE)
                        .split("__shared__ float tile0", -1))
                .hasSize(3);
        add(both, x);
        runAll();
    }

    @Test
    void everyPairHasTheBitsOfEach() {
        List<String> functions = List.of("sum", "prod", "amin", "amax", "mean", "var", "std", "argmin", "argmax");
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
            Tensor x = random(dtype, 9, 700);
            for (int i = 0; i < functions.size(); i++) {
                for (int j = i + 1; j < functions.size(); j++) {
                    String pair = "cat([%s(x, %s), %s(x, %s)], 0)";
                    add(pair.formatted(functions.get(i), 1, functions.get(j), 1), x);
                    if (dtype == DType.FLOAT32) {
                        add(pair.formatted(functions.get(i), 0, functions.get(j), 0), x);
                    }
                }
            }
        }
        runAll();
    }

    @Test
    void linesOfAnyLengthAndDimensions() {
        String rows = "cat([argmax(x, 1), mean(x, 1), std(x, 1), amin(x, 1)], 0)";
        String all = "cat([argmax(x).view(1), mean(x).view(1), std(x).view(1), amin(x).view(1)], 0)";
        for (int length : new int[] {1, 2, 31, 32, 33, 63, 64, 65, 127, 500, 511, 512, 513, 1100, 4097, 70_001}) {
            add(rows, random(DType.FLOAT32, 3, length));
            add(rows, random(DType.FLOAT16, 3, length + length % 2));
            add(all, random(DType.FLOAT32, length));
            add(all, random(DType.FLOAT32, 2, length));
            add(rows.replace("1)", "0)"), random(DType.FLOAT64, length, 3));
        }
        Tensor images = random(DType.FLOAT32, 5, 3, 9, 16);
        for (String dims : List.of("(0, 2, 3)", "(2, 3)", "(0, 1)", "(1, 3)", "(0, 3)", "()")) {
            add("cat([mean(x, X).flatten(), std(x, X).flatten(), amax(x, X).flatten()], 0)".replace("X", dims), images);
        }
        for (DType dtype : List.of(DType.INT32, DType.UINT8, DType.INT64)) {
            add("cat([sum(x, 1), amax(x, 1), argmin(x, 1), prod(x, 1)], 0)", random(dtype, 7, 900));
        }
        runAll();
    }

    /** A softmax of roots in place of exponentials: its sum is over what its maximum is taken from. */
    private static String softmax(String x) {
        return "(X - amax(X, -1, keepdim=True)) / sum(sqrt(amax(X, -1, keepdim=True) - X), -1, keepdim=True)"
                .replace("X", "(" + x + ")");
    }

    private static final int[] LINES = {1, 7, 32, 33, 64, 127, 1000, 1025, 4096, 5001, 8192};

    /** Those whose operations have the CPU's bits; exponentials and logarithms may have others. */
    private static final List<String> EXACT = List.of(
            softmax("x"),
            "(x - mean(x, -1, keepdim=True)) / sqrt(var(x, -1, keepdim=True) + 1e-5)",
            "x * prod(x, -1, keepdim=True) + amin(x, -1, keepdim=True)",
            "where(x == amax(x, -1, keepdim=True), argmax(x, -1, keepdim=True), argmin(x, -1, keepdim=True))");

    private static final List<String> OF_LINES = Stream.concat(
                    EXACT.stream(),
                    Stream.of("softmax(x, -1)", "log_softmax(x, -1)", "x - logsumexp(x, -1, keepdim=True)"))
            .toList();

    @Test
    void anExpressionOverReductionsOfItsLinesIsOneKernel() {
        for (String expression : OF_LINES) {
            for (Tensor x : List.of(random(DType.FLOAT32, 40, 1000), random(DType.FLOAT16, 3, 4, 5000))) {
                assertThat(LazyTensor.eval(expression, Map.of("x", x))
                                .explain(CUDA, Detail.PLAN)
                                .split("; kernel ", -1))
                        .as(expression)
                        .hasSize(2);
                assertThat(kernels("bl_lines", expression, x)).as(expression).isEqualTo(1);
            }
        }
    }

    @Test
    void linesOfAnyLengthHaveTheBitsOfTheCpu() {
        for (int length : LINES) {
            int rows = length < 100 ? 300 : 3;
            for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
                EXACT.forEach(expression -> add(expression, random(dtype, rows, length)));
            }
            EXACT.forEach(expression -> add(expression, random(DType.FLOAT32, length)));
        }
        runAll();
    }

    /** What is written into every other column of a tensor has a pass for each reduction. */
    @Test
    void oneKernelHasTheBitsOfSeveral() {
        List<LazyTensor> apart = new ArrayList<>();
        for (int length : new int[] {33, 1000, 4096}) {
            Tensor x = random(DType.FLOAT32, 3, length);
            for (String expression : OF_LINES) {
                add(expression, x);
                apart.add(LazyTensor.eval("cat([E, E], 1)".replace("E", expression), Map.of("x", x)));
            }
        }
        Rehearsal.compile(() -> {
            cases.forEach(one -> one.compute(CUDA));
            apart.forEach(one -> one.compute(CUDA));
        });
        for (int i = 0; i < apart.size(); i++) {
            Tensor twice = apart.get(i).compute(CUDA);
            long length = cases.get(i).shape().size(1);
            for (int half = 0; half < 2; half++) {
                assertThat(cases.get(i).compute(CUDA).values())
                        .as(cases.get(i).expr() + " of " + length)
                        .isEqualTo(twice.narrow(1, half * length, length).values());
            }
        }
    }

    @Test
    void linesWithSpecialValues() {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
            for (int length : new int[] {7, 1000, 4096}) {
                Tensor x = random(dtype, 12, length);
                double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0};
                for (int row = 0; row < 8; row++) {
                    x.set(special[row % 4], row, random.nextInt(length));
                    x.set(special[random.nextInt(4)], row, row < 4 ? 0 : length - 1);
                }
                x.select(0, 8).copy_(Tensors.full(Shape.of(length), Double.NEGATIVE_INFINITY, dtype));
                EXACT.forEach(expression -> add(expression, x));
            }
        }
        runAll();
    }

    @Test
    void linesOfIntegersAndOfSeveralOperands() {
        for (DType dtype : List.of(DType.INT32, DType.UINT8, DType.INT64, DType.INT8)) {
            for (int length : new int[] {7, 1000, 5000}) {
                Tensor x = random(dtype, 5, length);
                add("x - amax(x, -1, keepdim=True) + sum(x * 2, -1, keepdim=True)", x);
                add("where(any(x > 3, -1, keepdim=True), x, -x) * argmin(x, -1, keepdim=True)", x);
                add("x // (abs(sum(x, -1, keepdim=True)) + 1)", x);
            }
        }
        Tensor x = random(DType.FLOAT32, 6, 5, 400);
        Map<String, Tensor> operands = Map.of(
                "x", x,
                "y", random(DType.FLOAT16, 6, 5, 400),
                "w", random(DType.FLOAT32, 400),
                "b", random(DType.FLOAT64, 5, 1),
                "m", random(DType.BOOL, 5, 400),
                "t", random(DType.FLOAT32, 400, 5, 6).permute(2, 1, 0),
                "o", random(DType.FLOAT32, 6, 5, 401).narrow(2, 1, 400));
        for (String text : List.of(
                softmax("where(m, x * 0.125, -inf)"),
                "(x - mean(x, -1, keepdim=True)) / sqrt(var(x, -1, keepdim=True) + b * b) * w + y",
                softmax("x + y") + " * y",
                softmax("o * b") + " + 1",
                softmax("t") + " + x",
                softmax("x") + " - " + softmax("x").replace("-1", "0"),
                softmax("x") + " / sum(" + softmax("x") + ", 1, keepdim=True)",
                softmax(softmax("x")),
                "(x / amax(abs(x), -1, keepdim=True)) / sum(x / amax(abs(x), -1, keepdim=True))",
                "x - mean(y, -1, keepdim=True)",
                "(" + softmax("x") + ") @ w")) {
            cases.add(LazyTensor.eval(text, operands));
        }
        runAll();
    }

    @Test
    void aDivisionByZeroInALineIsTold() {
        Tensor x = random(DType.INT32, 5, 100);
        LazyTensor quotient = LazyTensor.eval("x // amax(x * 0, -1, keepdim=True)", Map.of("x", x));
        assertThatThrownBy(() -> quotient.compute(CUDA)).hasMessageContaining("ZeroDivisionError");
    }

    @Test
    void aLineIsReadByOneLaunch() {
        Tensor there = random(DType.FLOAT32, 50, 1000).to(CUDA);
        LazyTensor softmax = LazyTensor.eval("softmax(x, -1)", Map.of("x", there));
        softmax.compute();
        long before = FakeDriver.load().calls(LAUNCH);
        softmax.compute();
        assertThat(FakeDriver.load().calls(LAUNCH) - before).isOne();
        String kernel = softmax.explain(Detail.SOURCE);
        assertThat(kernel.split("const float\\* \\w+_x\\d;", -1)).hasSize(2); // a copy reads x, and nothing else does
    }

    @Test
    void whatIsReadOnceIsReadByOneLaunch() {
        Tensor there = random(DType.FLOAT32, 50, 300).to(CUDA);
        LazyTensor both =
                LazyTensor.eval("(x - mean(x, 0, keepdim=True)) / std(x, 0, keepdim=True)", Map.of("x", there));
        both.compute();
        long before = FakeDriver.load().calls(LAUNCH);
        both.compute();
        assertThat(FakeDriver.load().calls(LAUNCH) - before).isEqualTo(2); // the reductions, and what stands above them
    }
}
