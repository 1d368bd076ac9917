package io.github.broadloom.exec.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.spark.LocalSpark;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;

class ArchitecturesTest {
    @Test
    void aSettingNamesTheArchitectures() {
        SparkContext context = LocalSpark.session().sparkContext();
        SparkConf conf = new SparkConf(false).set(SparkSettings.ARCHITECTURES.sparkName(), "sm_80, sm_90,sm_80");
        assertThat(Architectures.set(conf)).hasValue(List.of("sm_80", "sm_90"));
        assertThat(Architectures.set(context.getConf())).isEmpty();
        assertThatThrownBy(() -> Architectures.set(conf.set(SparkSettings.ARCHITECTURES.sparkName(), "sm_80,H200")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use spark.broadloom.cuda.architectures=sm_80,H200:"
                        + " give architectures with commas, such as sm_80,sm_90");
    }
}
