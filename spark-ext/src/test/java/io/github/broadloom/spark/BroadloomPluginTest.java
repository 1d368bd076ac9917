package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import io.github.broadloom.device.Devices;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BroadloomPluginTest {

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.plugins", BroadloomPlugin.class.getName())
                .config("spark.broadloom.memory.pool", "256m")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    /** What Spark's metrics say now, of the driver's plugin and the executor's, which are one JVM here. */
    private static Map<String, Long> gauges() {
        Map<String, Long> values = new TreeMap<>();
        var sources = SparkEnv.get().metricsSystem().getSourcesByName("plugin." + BroadloomPlugin.class.getName());
        for (Source source : scala.jdk.javaapi.CollectionConverters.asJava(sources)) {
            source.metricRegistry().getGauges().forEach((name, gauge) -> values.put(name, value(gauge)));
        }
        return values;
    }

    private static long value(Gauge<?> gauge) {
        return (Long) gauge.getValue();
    }

    @Test
    void sparksMetricsShowMemoryAndKernels() {
        Broadloom broadloom = LocalSpark.broadloom();
        long held = Memory.allocatedBytes();
        DistributedTensor y =
                broadloom.tensor(Tensors.ones(64, 65_536), 2).sub(0.5).materialize();
        Map<String, Long> gauges = gauges();
        assertThat(gauges)
                .containsOnlyKeys(
                        "broadloom.memory.heldBytes",
                        "broadloom.memory.peakBytes",
                        "broadloom.memory.pooledBytes",
                        "broadloom.memory.limitBytes",
                        "broadloom.memory.hits",
                        "broadloom.memory.misses",
                        "broadloom.memory.freshBytes",
                        "broadloom.memory.collections",
                        "broadloom.kernels.hits",
                        "broadloom.kernels.misses",
                        "broadloom.kernels.compileNanos",
                        "broadloom.kernels.size",
                        "broadloom.io.fileBytes",
                        "broadloom.io.fetchedBytes",
                        "broadloom.io.replicatedBytes",
                        "broadloom.io.movedBytes",
                        "broadloom.gpu.heldBytes",
                        "broadloom.gpu.peakHeldBytes",
                        "broadloom.gpu.pooledBytes",
                        "broadloom.gpu.pinnedBytes",
                        "broadloom.gpu.peakPinnedBytes",
                        "broadloom.gpu.uploadedBytes",
                        "broadloom.gpu.downloadedBytes",
                        "broadloom.gpu.stagedBytes",
                        "broadloom.gpu.halved",
                        "broadloom.gpu.onCpuForMemory",
                        "broadloom.gpu.onCpuForKernels");
        assertThat(gauges.get("broadloom.memory.heldBytes")).isGreaterThanOrEqualTo(held + 64 * 65_536 * 4);
        assertThat(gauges.get("broadloom.memory.limitBytes")).isEqualTo(Memory.limitBytes());
        assertThat(gauges.get("broadloom.memory.misses"))
                .isPositive()
                .isEqualTo(Memory.figures().misses());
        assertThat(gauges.get("broadloom.kernels.misses"))
                .isPositive()
                .isEqualTo(Devices.backend(Device.CPU).kernelStats().misses());
        y.unpersist();
        assertThat(gauges().get("broadloom.memory.pooledBytes")).isGreaterThanOrEqualTo(64 * 65_536 * 4);
    }

    @Test
    void whatIsReadAndReplicatedAddsUp(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("x.npy");
        Npy.write(Tensors.ones(64, 30, 1000), file, WriteMode.CREATE);
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1_920_000);
        Map<String, Long> before = gauges();
        DistributedTensor y = broadloom.readNpy(file.toString()).sub(broadloom.tensor(Tensors.ones(30, 1000)));
        y.collect();
        Map<String, Long> after = gauges();
        assertThat(rise(before, after, "fileBytes")).isEqualTo(64 * 30 * 1000 * 4);
        assertThat(rise(before, after, "replicatedBytes")).isEqualTo(30 * 1000 * 4);
        assertThat(rise(before, after, "movedBytes")).isZero();
    }

    private static long rise(Map<String, Long> before, Map<String, Long> after, String name) {
        return after.getOrDefault("broadloom.io." + name, 0L) - before.getOrDefault("broadloom.io." + name, 0L);
    }

    @Test
    void theSessionSizesThePool() {
        LocalSpark.broadloom();
        assertThat(Memory.figures().poolLimitBytes()).isEqualTo(256L << 20);
    }

    @Test
    void inLocalModeTheDriverIsAllThereIs() {
        ClusterMemory memory = LocalSpark.broadloom().memory();
        assertThat(memory.figures()).containsOnlyKeys("driver");
        assertThat(memory.total()).isEqualTo(memory.figures().get("driver"));
        assertThat(memory.toString().lines()).hasSize(2);
    }
}
