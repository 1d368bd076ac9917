package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums along a row are pairwise trees over its elements: of values that cancel, every digit of the result shows the order. */
class SumOrderTest {
    private final Random random = new Random(11);

    /** Every value, in another place, with the other sign; their sum is what the additions round away. */
    private float[] cancelling(int count) {
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < count / 2; i++) {
            float value = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(24)));
            Collections.addAll(values, value, -value);
        }
        Collections.addAll(values, count % 2 == 0 ? new Float[0] : new Float[] {1f});
        Collections.shuffle(values, random);
        float[] array = new float[count];
        for (int i = 0; i < count; i++) {
            array[i] = values.get(i);
        }
        return array;
    }

    /** The greatest power of two that fits is a subtree, and then what is left. */
    private static double tree(float[] x, int from, int count) {
        int length = Integer.highestOneBit(count);
        double sum = block(x, from, length);
        int at = from + length;
        while (at < from + count) {
            length = Integer.highestOneBit(from + count - at);
            sum += block(x, at, length);
            at += length;
        }
        return sum;
    }

    private static double block(float[] x, int from, int count) {
        return count == 1 ? x[from] : block(x, from, count / 2) + block(x, from + count / 2, count / 2);
    }

    private static float[] products(float[] x, float[] y) {
        float[] products = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            products[i] = x[i] * y[i % y.length];
        }
        return products;
    }

    private static float[] sums(float[] x, int rows) {
        int length = x.length / rows;
        float[] sums = new float[rows];
        for (int row = 0; row < rows; row++) {
            sums[row] = (float) (tree(x, row * length, length) + 0.0);
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 24, 100, 128, 511, 1000, 1032, 2664, 5003})
    void rowsOfAnyLength(int length) {
        int rows = 37;
        float[] x = cancelling(rows * length);
        Tensor a = Tensors.copyOf(x, rows, length);
        assertThat(LazyTensor.of(a).sum(1).compute().toFloatArray()).isEqualTo(sums(x, rows));
        assertThat(LazyTensor.of(a).neg().sum(1).compute().toFloatArray())
                .isEqualTo(sums(products(x, new float[] {-1}), rows));
    }

    /** A tile then ends within an eight. */
    @ParameterizedTest
    @CsvSource({"8, 333", "16, 7", "24, 1001", "3, 8", "40, 129"})
    void rowsOfManyPieces(int pieces, int length) {
        int rows = 5;
        float[] x = cancelling(rows * pieces * length);
        float[] y = cancelling(length);
        Tensor a = Tensors.copyOf(x, rows, pieces, length);
        Tensor product =
                LazyTensor.of(a).mul(Tensors.copyOf(y, length)).sum(1, 2).compute();
        assertThat(product.toFloatArray()).isEqualTo(sums(products(x, y), rows));
    }

    /** Several reductions of the same inputs, as in a cosine. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 128, 1000, 4096})
    void severalSumsOverTheSameRows(int length) {
        int rows = 29;
        float[] x = cancelling(rows * length);
        float[] y = cancelling(rows * length);
        Map<String, Tensor> names = Map.of("a", Tensors.copyOf(x, rows, length), "b", Tensors.copyOf(y, rows, length));
        float[] ab = sums(products(x, y), rows);
        float[] aa = sums(products(x, x), rows);
        float[] expected = new float[rows];
        for (int row = 0; row < rows; row++) {
            expected[row] = ab[row] / aa[row];
        }
        LazyTensor quotient = LazyTensor.eval("sum(a * b, 1) / sum(a * a, 1)", names);
        assertThat(quotient.compute().toFloatArray()).isEqualTo(expected);
        Tensor out = Tensors.empty(DType.FLOAT32, Shape.of(rows));
        try (PreparedEvaluation prepared = Devices.backend(Device.CPU).prepared(quotient.expr(), out)) {
            for (int run = 0; run < 2; run++) {
                out.fill_(0);
                prepared.run();
                assertThat(out.toFloatArray()).isEqualTo(expected);
            }
        }
    }
}
