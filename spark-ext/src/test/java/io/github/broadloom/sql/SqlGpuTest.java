package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.cuda.FakeDriver;
import io.github.broadloom.device.cuda.WithFakeGpu;
import io.github.broadloom.spark.LocalSpark;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of rows that are computed on a GPU have the values of the CPU. */
@WithFakeGpu
class SqlGpuTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        spark = LocalSpark.session("spark.sql.extensions", BroadloomExtensions.class.getName());
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    private static List<Row> rows(int partitions, String device) {
        spark.conf().set("spark.broadloom.device", device);
        return spark.range(0, 300, 1, partitions)
                .selectExpr("id", "transform(sequence(0, id % 3), i -> float(id + i / 3)) as a", "double(id) / 7 as s")
                .selectExpr(
                        "id",
                        "tensor_eval('(a - s) * 2', a, s) as scaled",
                        "tensor_eval('a.sum()', a) as sum",
                        "tensor_add(s, id) as numbers")
                .orderBy("id")
                .collectAsList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theValuesAreThoseOfTheCpu(int partitions) {
        List<Row> expected = rows(1, "cpu");
        long before = launches();
        assertThat(rows(partitions, "cuda")).isEqualTo(expected);
        assertThat(launches()).isGreaterThan(before);
    }

    private static long launches() {
        return FakeDriver.load().calls().getOrDefault("cuLaunchKernel", 0L);
    }
}
