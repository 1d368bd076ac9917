package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionSettingsTest {
    private static Broadloom with(String name, String value) {
        SparkSession session = LocalSpark.session();
        session.conf().set(name, value);
        try {
            return Broadloom.on(session);
        } finally {
            session.conf().unset(name);
        }
    }

    @ParameterizedTest
    @CsvSource({"64m, 1", "16, 3", "1, 6"})
    void chunksHaveTheSizeThatTheSessionSays(String size, int chunks) {
        Broadloom broadloom = with("spark.broadloom.chunkBytes", size);
        assertThat(broadloom.tensor(Tensors.arange(6)).chunks()).isEqualTo(chunks);
        assertThat(broadloom.tensor(Tensors.arange(6)).add(1).collect().toLongArray())
                .containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void otherSettingsOfASessionAreThePlannersToo() {
        assertThat(with("spark.broadloom.replicateBytes", "3k").settings().replicateBytes())
                .isEqualTo(3072);
        assertThat(with("spark.broadloom.taskBytes", "1g").settings().taskBytes())
                .isEqualTo(1L << 30);
        assertThat(with("spark.broadloom.device", "auto").settings().device()).isEqualTo(Device.AUTO.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spark.broadloom.device     | H200  | cpu, cuda, cuda:N or auto",
                "spark.broadloom.chunkBytes | 0     | at least one byte, or a size such as 512m or 2g",
                "spark.broadloom.taskBytes  | large | at least one byte, or a size such as 512m or 2g",
                "spark.broadloom.broadcastWarning | on | true or false"
            })
    void wrongValuesAreRefusedByName(String name, String value, String allowed) {
        assertThatThrownBy(() -> with(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use " + name + "=" + value + ": give " + allowed);
    }
}
