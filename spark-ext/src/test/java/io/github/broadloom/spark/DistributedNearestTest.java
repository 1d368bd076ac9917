package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.NearestByHand;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The nearest rows of distributed matrices are those of local ones, to the bit, however they are cut and however the other side comes to the tasks. */
class DistributedNearestTest {
    private static final String BYTES = "spark.broadloom.sql.nearestBytes";

    private static SparkSession spark;

    @BeforeAll
    static void startSpark() {
        spark = LocalSpark.session();
        spark.conf().set("spark.sql.shuffle.partitions", 3);
    }

    @AfterAll
    static void restoreSpark() {
        spark.conf().unset("spark.sql.shuffle.partitions");
    }

    @AfterEach
    void asBefore() {
        spark.conf().unset(BYTES);
    }

    private static Tensor points(int rows, int columns, long seed) {
        double[] values = Stream.of(NearestByHand.points(rows, columns, seed))
                .flatMapToDouble(Arrays::stream)
                .toArray();
        return Tensors.copyOf(values, rows, columns);
    }

    private static void isAsLocal(Tensor a, Tensor b, int chunks, int k, VectorMetric metric) {
        Broadloom broadloom = LocalSpark.broadloom();
        ValuesAndIndices<DistributedTensor> found =
                broadloom.tensor(a, chunks).nearest(broadloom.tensor(b, 8 - chunks), k, metric);
        ValuesAndIndices<Tensor> local = LazyTensor.of(a).nearest(b, k, metric);
        assertThat(found.indices().dtype()).isEqualTo(DType.INT64);
        assertThat(found.indices().collect().toLongArray())
                .isEqualTo(local.indices().toLongArray());
        assertThat(found.values().collect().toDoubleArray())
                .isEqualTo(local.values().toDoubleArray());
        found.values().unpersist();
        found.indices().unpersist();
    }

    static Stream<VectorMetric> metrics() {
        return Stream.of(VectorMetric.values());
    }

    @SomeOf(value = "metrics", oneIn = 3)
    void theyAreThoseOfLocalTensors(VectorMetric metric) {
        Tensor a = points(60, 4, 1);
        Tensor b = points(90, 4, 2);
        for (int chunks : new int[] {1, 2, 7}) {
            isAsLocal(a.to(DType.FLOAT32), b.to(DType.FLOAT32), chunks, 5, metric);
        }
        isAsLocal(a, b.to(DType.FLOAT32), 2, 90, metric);
    }

    /** With room for neither side tasks stream the other; with room for few rows parts of the other are searched for these. */
    @ParameterizedTest
    @CsvSource({"1,9,streamed,one kernel (manhattan)", "4000,5,NearestMerge,one kernel (manhattan)"})
    void aSideTooLargeToBeSentIsNotSent(String bytes, int rows, String how, String form) {
        spark.conf().set(BYTES, bytes);
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor a = points(rows, 3, 3);
        Tensor b = points(300, 3, 4);
        for (int chunks : new int[] {1, 2, 7}) {
            assertThat(broadloom
                            .tensor(a, chunks)
                            .explainNearest(broadloom.tensor(b, 8 - chunks), 4, VectorMetric.MANHATTAN))
                    .contains(how, form);
            isAsLocal(a, b, chunks, 4, VectorMetric.MANHATTAN);
            isAsLocal(a, b, chunks, 4, VectorMetric.EUCLIDEAN);
        }
    }

    /** The rows of a chunk stay in their partition. */
    @Test
    void aSmallOtherSideIsBroadcastAndNothingIsShuffled() {
        DistributedTensor a = LocalSpark.broadloom().tensor(points(50, 3, 5), 7);
        assertThat(a.explainNearest(a, 2, VectorMetric.SQEUCLIDEAN))
                .contains("right side broadcast", "matrix products (sqeuclidean)")
                .doesNotContain("Exchange hashpartitioning", "Exchange rangepartitioning");
        assertThat(a.nearest(a, 2, VectorMetric.SQEUCLIDEAN).indices().chunks()).isEqualTo(7);
    }

    @Test
    void localTensorsHalvesAndNoRowsAreTaken() {
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor b = Tensors.copyOf(new double[] {0, 0, 3, 4}, 2, 2);
        DistributedTensor a = broadloom.tensor(b.to(DType.FLOAT16));
        ValuesAndIndices<DistributedTensor> found = a.nearest(b, 2, VectorMetric.EUCLIDEAN);
        assertThat(found.values().collect().toDoubleArray()).containsExactly(0, 5, 0, 5);
        assertThat(found.indices().collect().toLongArray()).containsExactly(0, 1, 1, 0);
        assertThat(broadloom
                        .tensor(Tensors.zeros(0, 2))
                        .nearest(b, 2, VectorMetric.COSINE)
                        .values()
                        .shape())
                .hasToString("[0, 2]");
    }

    /** However the other side travels, and although two tensors come of it. */
    @ParameterizedTest
    @ValueSource(strings = {"256m", "1000", "4000"})
    void pairsAreSearchedOnce(String bytes) throws Exception {
        spark.conf().set(BYTES, bytes);
        Broadloom broadloom = LocalSpark.broadloom();
        try (Jobs jobs = Jobs.listen()) {
            ValuesAndIndices<DistributedTensor> found = broadloom
                    .tensor(points(5, 3, 3), 2)
                    .nearest(broadloom.tensor(points(300, 3, 4), 3), 4, VectorMetric.EUCLIDEAN);
            found.values().collect();
            found.indices().collect();
            assertThat(jobs.counted("number of pairs")).isEqualTo(5 * 300);
        }
    }

    /** What is dropped, or lost with an executor, is computed again. */
    @Test
    void whatIsNotKeptIsComputedAgain() {
        DistributedTensor a = LocalSpark.broadloom().tensor(points(30, 3, 6), 2);
        DistributedTensor indices = a.nearest(a, 3, VectorMetric.CHEBYSHEV).indices();
        long[] kept = indices.collect().toLongArray();
        int persisted = spark.sparkContext().getPersistentRDDs().size();
        indices.unpersist();
        assertThat(spark.sparkContext().getPersistentRDDs().size()).isEqualTo(persisted - 1);
        assertThat(indices.collect().toLongArray()).isEqualTo(kept);
    }

    @Test
    void whatHasNoNearestRowsIsRefused() {
        DistributedTensor a = LocalSpark.broadloom().tensor(Tensors.zeros(3, 2));
        assertThatThrownBy(() -> a.nearest(a, 4, VectorMetric.EUCLIDEAN)).hasMessage("selected index k out of range");
        assertThatThrownBy(() -> a.nearest(a.narrow(1, 0, 1), 1, VectorMetric.EUCLIDEAN))
                .hasMessage("X1 and X2 must have the same number of columns. X1: 2 X2: 1");
    }
}
