package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantedMemoryTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long USUAL = 7000 * MEBIBYTE;

    private static SparkConf conf(String master, String... settings) {
        SparkConf conf = new SparkConf(false).set("spark.master", master);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    private static long executor(SparkConf conf) {
        return GrantedMemory.ofExecutor(conf, USUAL).limitBytes() / MEBIBYTE;
    }

    private static long driver(SparkConf conf) {
        return GrantedMemory.ofDriver(conf, USUAL).limitBytes() / MEBIBYTE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "k8s://https://host:6443"})
    void inAContainerTensorsHaveTheOverheadLessWhatTheJvmNeeds(String master) {
        assertThat(executor(conf(master, "spark.executor.memoryOverhead", "8g")))
                .isEqualTo(8192 - 256);
        assertThat(executor(conf(master, "spark.executor.memoryOverhead", "600"))) // in MiB, as Spark reads it
                .isEqualTo(600 - 256);
        assertThat(executor(conf(master))).isEqualTo(384 / 3); // 10 % of 1 GiB are less than 384 MiB
        assertThat(executor(conf(master, "spark.executor.memory", "20g"))).isEqualTo(2048 - 256);
        assertThat(executor(
                        conf(master, "spark.executor.memory", "20g", "spark.executor.memoryOverheadFactor", "0.25")))
                .isEqualTo(5120 - 256);
        assertThat(executor(conf(master, "spark.executor.minMemoryOverhead", "1g")))
                .isEqualTo(1024 - 256);
    }

    @Test
    void kubernetesHasAFactorOfItsOwnBelowTheExecutors() {
        SparkConf conf =
                conf("k8s://host", "spark.executor.memory", "10g", "spark.kubernetes.memoryOverheadFactor", "0.4");
        assertThat(executor(conf)).isEqualTo(4096 - 256);
        assertThat(executor(conf.set("spark.executor.memoryOverheadFactor", "0.2")))
                .isEqualTo(2048 - 256);
        assertThat(executor(conf.set("spark.master", "yarn").remove("spark.executor.memoryOverheadFactor")))
                .isEqualTo(1024 - 256);
    }

    @Test
    void whatIsSetAsideOffTheHeapCountsWhereItIsEnabled() {
        SparkConf conf = conf("yarn", "spark.executor.memoryOverhead", "1g", "spark.memory.offHeap.size", "4g");
        assertThat(executor(conf)).isEqualTo(768);
        assertThat(executor(conf.set("spark.memory.offHeap.enabled", "true"))).isEqualTo(768 + 4096);
        assertThat(executor(conf.set("spark.master", "spark://host:7077").remove("spark.executor.memoryOverhead")))
                .isEqualTo(7000 + 4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spark://host:7077", "local-cluster[2,1,1024]"})
    void withoutAContainerTensorsHaveWhatTheJvmGrantsOrWhatWasSetAside(String master) {
        assertThat(executor(conf(master))).isEqualTo(7000);
        assertThat(executor(conf(master, "spark.executor.memoryOverhead", "1g")))
                .isEqualTo(768);
    }

    @ParameterizedTest
    @CsvSource({
        "local[*], spark.submit.deployMode, client, 7000",
        "spark://host:7077, spark.submit.deployMode, cluster, 7000",
        "yarn, spark.submit.deployMode, client, 7000",
        "yarn, spark.submit.deployMode, cluster, 1768",
        "k8s://host, spark.submit.deployMode, client, 7000",
        "k8s://host, spark.kubernetes.submitInDriver, true, 1768"
    })
    void aDriverHasAContainerInClusterModeAlone(String master, String name, String value, long mebibytes) {
        SparkConf conf = conf(master, name, value, "spark.driver.memoryOverhead", "2024m");
        assertThat(driver(conf)).isEqualTo(mebibytes);
    }

    @Test
    void theDriverKnowsTheLimitThatExecutorsAreStartedWith() {
        SparkConf conf = conf("yarn", "spark.executor.extraJavaOptions", "-Da=b -Dbroadloom.memory.limit=3g -ea");
        assertThat(GrantedMemory.ofExecutor(conf)).isEqualTo(3072 * MEBIBYTE);
        assertThat(GrantedMemory.ofExecutor(conf("spark://host:7077", "spark.executor.memory", "3g")))
                .isEqualTo(3072 * MEBIBYTE);
    }

    @Test
    void thePoolMayHaveAllThatIsSetAsideAndElseHalf() {
        assertThat(GrantedMemory.ofExecutor(conf("yarn", "spark.executor.memoryOverhead", "1g"), USUAL)
                        .poolBytes())
                .isEqualTo(768 * MEBIBYTE);
        assertThat(GrantedMemory.ofExecutor(conf("spark://host:7077"), USUAL).poolBytes())
                .isEqualTo(3500 * MEBIBYTE);
        assertThat(GrantedMemory.here(conf("yarn", "spark.broadloom.memory.pool", "100"), false)
                        .poolBytes())
                .isEqualTo(100);
    }
}
