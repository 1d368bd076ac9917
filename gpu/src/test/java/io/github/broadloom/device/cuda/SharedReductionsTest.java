package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reductions of one operand read it once on a GPU, and each has the bits that it has by itself and on the CPU. */
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
        cases.add(LazyTensor.parse(expression, Map.of("x", x)));
    }

    private void runAll() {
        Rehearsal.compile(() -> cases.forEach(one -> one.eval(CUDA)));
        List<String> wrong = new ArrayList<>();
        for (LazyTensor one : cases) {
            if (!one.eval(CUDA).values().equals(one.eval().values())) {
                wrong.add(one.expr() + " of " + one.shape());
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static int kernels(String expression, Tensor x) {
        return LazyTensor.parse(expression, Map.of("x", x))
                        .explain(CUDA, Detail.PLAN)
                        .split("kernel bl_fold", -1)
                        .length
                - 1;
    }

    @Test
    void meanWithStdIsOneKernel() {
        Tensor x = random(DType.FLOAT32, 40, 1000);
        assertThat(kernels("(x - mean(x, 1, keepdim=True)) / std(x, 1, keepdim=True)", x))
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
        assertThat(LazyTensor.parse(both, Map.of("x", x))
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

    @Test
    void whatIsReadOnceIsReadByOneLaunch() {
        Tensor there = random(DType.FLOAT32, 50, 300).to(CUDA);
        LazyTensor both =
                LazyTensor.parse("(x - mean(x, 1, keepdim=True)) / std(x, 1, keepdim=True)", Map.of("x", there));
        both.eval();
        long before = FakeDriver.load().calls(LAUNCH);
        both.eval();
        assertThat(FakeDriver.load().calls(LAUNCH) - before).isEqualTo(2); // the reductions, and what stands above them
    }
}
