package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PairwiseTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("pairwise")
                .config("spark.ui.enabled", "false")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    static Stream<Arguments> metricsAndChunks() {
        return Stream.of(Metric.values())
                .flatMap(metric -> Stream.of(1, 2, 7).map(chunks -> Arguments.of(metric, chunks)));
    }

    @ParameterizedTest
    @MethodSource("metricsAndChunks")
    void plainLoopsFindTheSameHoweverTheSetsAreCut(Metric metric, int chunks) {
        double[][] a = Points.random(41, 3, 1);
        double[][] b = Points.random(29, 3, 2);
        Broadloom broadloom = Broadloom.on(spark);
        check(
                Pairwise.of(
                        broadloom.tensor(Points.tensor(a), chunks), broadloom.tensor(Points.tensor(b), chunks), metric),
                a,
                b,
                metric);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "7"})
    void setsThatAreBothTooLargeToBeCopiedGiveTheSame(int chunks) {
        double[][] a = Points.random(41, 3, 3);
        double[][] b = Points.random(29, 3, 4);
        Broadloom broadloom = Broadloom.on(spark).withReplicateBytes(64);
        DistributedTensor left = broadloom.tensor(Points.tensor(a), chunks).cache();
        DistributedTensor right = broadloom.tensor(Points.tensor(b), chunks).cache();
        check(Pairwise.of(left, right, Metric.EUCLIDEAN), a, b, Metric.EUCLIDEAN);
        left.unpersist();
        right.unpersist();
    }

    @Test
    void ofEquallyNearRowsTheFirstIsTaken() {
        Tensor a = Tensors.copyOf(new double[] {0, 0}, 1, 2);
        Tensor b = Tensors.copyOf(new double[] {3, 4, 5, 0, -3, -4, 0, 5, 9, 9}, 5, 2);
        Pairwise pairwise = pairwise(a, b, Metric.EUCLIDEAN);
        assertThat(pairwise.index().collect().toLongArray()).containsExactly(0);
        assertThat(pairwise.distance().collect().toDoubleArray()).containsExactly(5);
    }

    /** |a|² + |b|² - 2ab would be 0 here, or anything: the squares take all 53 bits. */
    @Test
    void pointsFarFromTheOriginKeepTheirSmallDistances() {
        Tensor a = Tensors.copyOf(new double[] {0x1p30, 0x1p30}, 1, 2);
        Tensor b = Tensors.copyOf(new double[] {0x1p30 + 0x1p-10, 0x1p30, 0x1p30, 0x1p30 + 0x1p-11}, 2, 2);
        Pairwise pairwise = pairwise(a, b, Metric.EUCLIDEAN);
        assertThat(pairwise.index().collect().toLongArray()).containsExactly(1);
        assertThat(pairwise.distance().collect().toDoubleArray()).containsExactly(0x1p-11);
    }

    @Test
    void bytesDoNotWrapAround() {
        Tensor a = Tensors.copyOf(new long[] {250, 3}, 2, 1).to(DType.UINT8);
        Tensor b = Tensors.copyOf(new long[] {0, 100}, 2, 1).to(DType.UINT8);
        Pairwise pairwise = pairwise(a, b, Metric.MANHATTAN);
        assertThat(pairwise.index().collect().toLongArray()).containsExactly(1, 0);
        assertThat(pairwise.distance().collect().toFloatArray()).containsExactly(150, 3);
    }

    private Pairwise pairwise(Tensor a, Tensor b, Metric metric) {
        Broadloom broadloom = Broadloom.on(spark);
        return Pairwise.of(broadloom.tensor(a), broadloom.tensor(b), metric);
    }

    private static void check(Pairwise pairwise, double[][] a, double[][] b, Metric metric) {
        DistributedTensor pass = pairwise.pass().materialize();
        long[] index = pairwise.index().collect().toLongArray();
        double[] distance = pairwise.distance().collect().toDoubleArray();
        pass.unpersist();
        assertThat(index).hasSize(a.length);
        for (int row = 0; row < a.length; row++) {
            int expected = Points.nearest(a[row], b, metric);
            assertThat(index[row]).isEqualTo(expected);
            assertThat(distance[row]).isCloseTo(Points.distance(a[row], b[expected], metric), within(1e-14));
        }
    }
}
