package io.github.broadloom.nearest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.NearestByHand;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The nearest rows are those that loops over all pairs find, and their distances the same. */
class NearestRowsTest {
    private static Tensor tensor(double[][] rows) {
        return Tensors.copyOf(Stream.of(rows).flatMapToDouble(Arrays::stream).toArray(), rows.length, rows[0].length);
    }

    private static void isAsByHand(double[][] a, double[][] b, int k, VectorMetric metric, DType dtype) {
        ValuesAndIndices<Tensor> found =
                LazyTensor.of(tensor(a).to(dtype)).nearest(tensor(b).to(dtype), k, metric);
        assertThat(found.indices().dtype()).isEqualTo(DType.INT64);
        assertThat(found.values().shape()).hasToString("[" + a.length + ", " + k + "]");
        long[] indices = found.indices().toLongArray();
        double[] distances = found.values().toDoubleArray();
        for (int row = 0; row < a.length; row++) {
            int[] order = NearestByHand.order(metric.name(), a[row], b);
            for (int place = 0; place < k; place++) {
                assertThat(indices[row * k + place])
                        .as("%s, row %s, place %s", metric, row, place)
                        .isEqualTo(order[place]);
                double expected = NearestByHand.distance(metric.name(), a[row], b[order[place]]);
                assertThat(distances[row * k + place]).isEqualTo(Double.valueOf(expected)); // NaN, too
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theyAreThoseOfAllPairs(VectorMetric metric) {
        double[][] b = NearestByHand.points(400, 5, 2);
        isAsByHand(NearestByHand.points(90, 5, 1), b, 7, metric, DType.FLOAT32);
        isAsByHand(NearestByHand.points(90, 5, 3), b, 1, metric, DType.FLOAT64);
    }

    @ParameterizedTest
    @EnumSource
    void allMayBeWanted(VectorMetric metric) {
        isAsByHand(NearestByHand.points(40, 3, 4), NearestByHand.points(150, 3, 5), 150, metric, DType.FLOAT64);
        isAsByHand(NearestByHand.points(1, 1, 6), NearestByHand.points(1, 1, 7), 1, metric, DType.FLOAT32);
    }

    @Test
    void moreRowsThanABlockHas() {
        isAsByHand(
                NearestByHand.points(700, 4, 8),
                NearestByHand.points(2500, 4, 9),
                20,
                VectorMetric.EUCLIDEAN,
                DType.FLOAT32);
    }

    /** Products of vectors are summed in panels of some 256. */
    @ParameterizedTest
    @EnumSource(names = {"EUCLIDEAN", "COSINE", "INNER_PRODUCT"})
    void longVectors(VectorMetric metric) {
        for (int dimensions : new int[] {255, 256, 384, 700}) {
            double[][] b = NearestByHand.points(75, dimensions, 14);
            isAsByHand(NearestByHand.points(67, dimensions, 13), b, 3, metric, DType.FLOAT32);
        }
    }

    /** Where squares of the coordinates are a million times those of the distances. */
    @ParameterizedTest
    @EnumSource(names = {"EUCLIDEAN", "SQEUCLIDEAN", "MANHATTAN", "CHEBYSHEV"})
    void pointsFarFromTheOriginAreToldApart(VectorMetric metric) {
        double[][] far = NearestByHand.points(300, 6, 10);
        for (double[] point : far) {
            for (int d = 0; d < point.length; d++) {
                point[d] = 1e9 + point[d];
            }
        }
        isAsByHand(Arrays.copyOf(far, 50), far, 9, metric, DType.FLOAT64);
    }

    @Test
    void integersHalvesAndBooleansAreExact() {
        double[][] a = {{0, 1, 3}, {1, 1, 0}};
        double[][] b = {{1, 1, 1}, {0, 0, 0}, {1, 0, 3}};
        for (DType dtype : new DType[] {DType.INT64, DType.UINT8, DType.BFLOAT16, DType.FLOAT16, DType.INT32}) {
            isAsByHand(a, b, 3, VectorMetric.MANHATTAN, dtype);
        }
        ValuesAndIndices<Tensor> found = LazyTensor.of(Tensors.copyOf(new boolean[] {true, false}, 1, 2))
                .nearest(Tensors.copyOf(new boolean[] {false, false, true, false}, 2, 2), 1, VectorMetric.CHEBYSHEV);
        assertThat(found.indices().getLong(0, 0)).isEqualTo(1);
    }

    @Test
    void anyNumberOfThreadsFindsTheSame() {
        Tensor a = tensor(NearestByHand.points(1000, 3, 11));
        Tensor b = tensor(NearestByHand.points(300, 3, 12));
        ValuesAndIndices<Tensor> one = NearestRows.of(a, b, 4, VectorMetric.MANHATTAN, Device.CPU, 1);
        ValuesAndIndices<Tensor> five = NearestRows.of(a, b, 4, VectorMetric.MANHATTAN, Device.CPU, 5);
        assertThat(five.indices().toLongArray()).isEqualTo(one.indices().toLongArray());
        assertThat(five.values().toDoubleArray()).isEqualTo(one.values().toDoubleArray());
    }

    /** An expression is computed first, and nothing is found of no rows. */
    @Test
    void expressionsAreComputed() {
        LazyTensor a = LazyTensor.of(Tensors.of(1, 2, 3).to(DType.FLOAT32)).unsqueeze(1);
        ValuesAndIndices<Tensor> found = a.mul(2).nearest(a, 2, VectorMetric.EUCLIDEAN);
        assertThat(found.indices().toLongArray()).containsExactly(1, 0, 2, 1, 2, 1);
        assertThat(found.values().toDoubleArray()).containsExactly(0, 1, 1, 2, 3, 4);
        assertThat(LazyTensor.of(Tensors.zeros(0, 1))
                        .nearest(a, 2, VectorMetric.COSINE)
                        .values()
                        .shape())
                .hasToString("[0, 2]");
    }

    @Test
    void whatHasNoNearestRowsIsRefused() {
        LazyTensor a = LazyTensor.of(Tensors.zeros(3, 2));
        assertThatThrownBy(() -> a.nearest(Tensors.zeros(4, 2), 5, VectorMetric.COSINE))
                .hasMessage("selected index k out of range");
        assertThatThrownBy(() -> a.nearest(Tensors.zeros(4, 3), 1, VectorMetric.COSINE))
                .hasMessage("X1 and X2 must have the same number of columns. X1: 2 X2: 3");
        assertThatThrownBy(() -> a.nearest(Tensors.zeros(4), 1, VectorMetric.COSINE))
                .hasMessageContaining("[4]")
                .hasMessageContaining("must be matrices");
        assertThatThrownBy(() -> a.nearest(Tensors.zeros(4, 2), 0, VectorMetric.COSINE))
                .hasMessageContaining("at least one");
        assertThatThrownBy(() -> a.narrow(1, 0, 0).nearest(Tensors.zeros(4, 0), 1, VectorMetric.CHEBYSHEV))
                .hasMessageContaining("no columns");
    }
}
