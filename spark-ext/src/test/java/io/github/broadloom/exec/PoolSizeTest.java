package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class PoolSizeTest {
    private static final long OTHERWISE = 7;

    private static SparkConf conf(String master) {
        return new SparkConf(false).set("spark.master", master);
    }

    private static long bytes(SparkConf conf) {
        return PoolSize.bytes(conf, OTHERWISE);
    }

    @Test
    void whatWasAskedForComesFirst() {
        SparkConf conf = conf("spark://host:7077")
                .set("spark.memory.offHeap.enabled", "true")
                .set("spark.memory.offHeap.size", "4g");
        assertThat(bytes(conf.set("spark.broadloom.memory.pool", "512m"))).isEqualTo(512L << 20);
        assertThat(bytes(conf("local[2]").set("spark.broadloom.memory.pool", "100")))
                .isEqualTo(100);
    }

    @Test
    void anExecutorsPoolIsAsLargeAsWhatSparkReservesOffTheHeap() {
        SparkConf overhead =
                conf("k8s://https://host").set("spark.executor.memoryOverhead", "600"); // in MiB, as Spark reads it
        assertThat(bytes(overhead)).isEqualTo(600L << 20);
        SparkConf both = overhead.set("spark.memory.offHeap.enabled", "true").set("spark.memory.offHeap.size", "2g");
        assertThat(bytes(both)).isEqualTo(2L << 30);
        assertThat(bytes(both.set("spark.memory.offHeap.enabled", "false"))).isEqualTo(600L << 20);
    }

    @Test
    void elseAndInLocalModeTheDefaultStands() {
        assertThat(bytes(conf("yarn"))).isEqualTo(OTHERWISE);
        assertThat(bytes(conf("local[*]").set("spark.executor.memoryOverhead", "600")))
                .isEqualTo(OTHERWISE);
        assertThat(bytes(conf("local").set("spark.executor.memoryOverhead", "600")))
                .isEqualTo(OTHERWISE);
        assertThat(bytes(conf("local-cluster[2,1,1024]").set("spark.executor.memoryOverhead", "600")))
                .isEqualTo(600L << 20);
    }
}
