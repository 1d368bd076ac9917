package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class TaskMemoryTest {
    private static SparkConf conf(String... settings) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    @Test
    void aTaskHasItsPartOfWhatIsSetAsideBesideTheHeap() {
        SparkConf conf = conf("spark.executor.memoryOverhead", "600", "spark.executor.cores", "4");
        assertThat(TaskMemory.ofCluster(conf)).isEqualTo(150L << 20);
        assertThat(TaskMemory.ofCluster(conf.set("spark.task.cpus", "2"))).isEqualTo(300L << 20);
    }

    @Test
    void whereTheConfigurationDoesNotSayNobodyKnows() {
        assertThat(TaskMemory.ofCluster(conf())).isEqualTo(Long.MAX_VALUE);
        assertThat(TaskMemory.ofCluster(conf("spark.executor.memoryOverhead", "1g")))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(TaskMemory.ofCluster(conf("spark.executor.cores", "4"))).isEqualTo(Long.MAX_VALUE);
    }
}
