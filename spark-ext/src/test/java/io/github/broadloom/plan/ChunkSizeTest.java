package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkSizeTest {
    private static final long MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "1024, 64, 32", // of memory for a task: chunks of a large tensor, and where nothing is known of it
        "512, 64, 32",
        "128, 16, 16",
        "40, 5, 5",
        "2, 1, 1"
    })
    void tasksHoldSeveralChunksOfWhatMemoryTheyHave(long task, long large, long usual) {
        Settings settings = Settings.defaults().withSlots(2).withTasksOf(task * MEBIBYTE);
        assertThat(settings.chunkBytesOf(1L << 40)).isEqualTo(large * MEBIBYTE);
        assertThat(settings.chunkBytes()).isEqualTo(usual * MEBIBYTE);
        assertThat(settings.taskBytes()).isEqualTo(task * MEBIBYTE);
    }
}
