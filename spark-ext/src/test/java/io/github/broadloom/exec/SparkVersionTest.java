package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"4.0.0", "4.0.2", "4.1.2", "4.2.0", "4.2.1-amzn-0"})
    void theseAreServed(String version) {
        assertThatCode(() -> SparkVersion.check(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.6", "4.3.0", "4.20.0", "5.0.0"})
    void othersAreRefusedInASentence(String version) {
        assertThatThrownBy(() -> SparkVersion.check(version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot run on Spark " + version + ": this jar is for 4.0 to 4.2");
    }

    @Test
    void thisOneIsServed() {
        assertThatCode(SparkVersion::check).doesNotThrowAnyException();
    }
}
