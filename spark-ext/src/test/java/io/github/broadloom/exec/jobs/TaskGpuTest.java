package io.github.broadloom.exec.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskGpuTest {
    private static final String[] NONE = {};

    @Test
    void theTasksOwnComesFirst() {
        assertThat(TaskGpu.address(new String[] {"3"}, new String[] {"0", "1"}, 1))
                .isEqualTo("3");
    }

    @Test
    void elseTasksTakeTheExecutorsInTurn() {
        assertThat(TaskGpu.address(NONE, new String[] {"2", "GPU-5"}, 0)).isEqualTo("2");
        assertThat(TaskGpu.address(NONE, new String[] {"2", "GPU-5"}, 7)).isEqualTo("GPU-5");
    }

    @Test
    void elseItIsTheFirstOfTheMachine() {
        assertThat(TaskGpu.address(NONE, NONE, 4)).isEqualTo("0");
    }
}
