package io.github.broadloom.exec.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.plan.Settings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static SparkConf executors(int instances, int cores) {
        return new SparkConf(false)
                .set("spark.executor.instances", Integer.toString(instances))
                .set("spark.executor.cores", Integer.toString(cores));
    }

    @Test
    void aFixedNumberOfExecutorsHasTheTasksOfItsCores() {
        assertThat(Slots.ofCluster(executors(5, 8))).isEqualTo(40);
        assertThat(Slots.ofCluster(executors(5, 8).set("spark.task.cpus", "3"))).isEqualTo(10);
    }

    @Test
    void aClusterThatGrowsAndShrinksHasNoKnownNumber() {
        assertThat(Slots.ofCluster(executors(5, 8).set("spark.dynamicAllocation.enabled", "true")))
                .isEqualTo(Settings.UNKNOWN_SLOTS);
        assertThat(Slots.ofCluster(new SparkConf(false).set("spark.executor.cores", "8")))
                .isEqualTo(Settings.UNKNOWN_SLOTS);
    }
}
