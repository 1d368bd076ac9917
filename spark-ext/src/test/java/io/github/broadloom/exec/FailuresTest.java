package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.errors.SparkCoreErrors;
import org.apache.spark.storage.RDDBlockId;
import org.junit.jupiter.api.Test;

/** What Spark says in the moment of a race is told in our words; a race meets it once in many runs, this always. */
final class FailuresTest {
    @Test
    void aBlockThatSparkDropsAfterATaskHasAskedForItIsTold() {
        Throwable failure = SparkCoreErrors.blockDoesNotExistError(new RDDBlockId(178, 1));

        assertThat(failure).hasMessageContaining("Block rdd_178_1 does not exist");
        assertThat(Failures.unchecked(failure)).hasMessage("Cannot read block: Spark dropped it meanwhile");
    }
}
