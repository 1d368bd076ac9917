package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.tensor.Device;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of rows that are computed on a GPU have the values of the CPU. */
@Tag("full")
@WithFakeGpu
class SqlGpuTest extends SqlTest {
    private static List<Row> rows(int partitions, String device) {
        spark.conf().set("spark.broadloom.device", device);
        return sorted(spark.range(0, 300, 1, partitions)
                .selectExpr("id", "transform(sequence(0, id % 3), i -> float(id + i / 3)) as a", "double(id) / 7 as s")
                .selectExpr(
                        "id",
                        "tensor_eval('(a - s) * 2', a, s) as scaled",
                        "tensor_eval('a.sum()', a) as sum",
                        "tensor_add(s, id) as numbers"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theValuesAreThoseOfTheCpu(int partitions) {
        List<Row> expected = rows(1, "cpu");
        long before = launches();
        assertThat(rows(partitions, "cuda")).isEqualTo(expected);
        assertThat(launches()).isGreaterThan(before);
    }

    @Test
    void aNestIsOneKernelAndNoneOfTheCpu() {
        spark.conf().set("spark.broadloom.device", "cuda");
        long single = launchesFor("tensor_sub(a, s)");
        KernelCache.Stats before = Devices.backend(Device.CPU).kernelStats();
        assertThat(launchesFor("tensor_div(tensor_sub(a, s), tensor_add(s, 2))"))
                .isEqualTo(single);
        assertThat(Devices.backend(Device.CPU).kernelStats()).isEqualTo(before);
    }

    private static long launchesFor(String column) {
        long before = launches();
        spark.range(0, 8, 1, 1)
                .selectExpr("array(float(id), 1f) as a", "float(id) as s")
                .selectExpr(column)
                .collectAsList();
        return launches() - before;
    }

    private static long launches() {
        return FakeDriver.load().calls().getOrDefault("cuLaunchKernel", 0L);
    }
}
