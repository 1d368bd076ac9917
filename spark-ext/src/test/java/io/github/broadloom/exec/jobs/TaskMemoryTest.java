package io.github.broadloom.exec.jobs;

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
    void tasksShareWhatTheirExecutorHas() {
        SparkConf conf =
                conf("spark.master", "yarn", "spark.executor.memoryOverhead", "1g", "spark.executor.cores", "4");
        assertThat(TaskMemory.ofCluster(conf, 1)).isEqualTo(192L << 20); // of 768 MiB
        assertThat(TaskMemory.ofCluster(conf.set("spark.task.cpus", "2"), 1)).isEqualTo(384L << 20);
    }

    @Test
    void anExecutorHasTheCoresThatItsMasterGivesIt() {
        String[] overhead = {"spark.executor.memoryOverhead", "1g"};
        assertThat(TaskMemory.ofCluster(conf(overhead).set("spark.master", "yarn"), 7))
                .isEqualTo(768L << 20);
        assertThat(TaskMemory.ofCluster(conf(overhead).set("spark.master", "k8s://https://host"), 7))
                .isEqualTo(768L << 20);
        assertThat(TaskMemory.ofCluster(conf(overhead).set("spark.master", "local-cluster[2, 3, 1024]"), 7))
                .isEqualTo(256L << 20);
        assertThat(TaskMemory.ofCluster(conf(overhead).set("spark.master", "spark://host:7077"), 6))
                .isEqualTo(128L << 20); // as many as came
    }
}
