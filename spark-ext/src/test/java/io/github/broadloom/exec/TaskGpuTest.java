package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TaskGpuTest {
    private static final String[] NONE = {};

    @Test
    void theTasksOwnComesFirst() {
        assertThat(TaskGpu.ordinal(new String[] {"3"}, new String[] {"0", "1"}, 1))
                .isEqualTo(3);
    }

    @Test
    void elseTasksTakeTheExecutorsInTurn() {
        assertThat(TaskGpu.ordinal(NONE, new String[] {"2", "5"}, 0)).isEqualTo(2);
        assertThat(TaskGpu.ordinal(NONE, new String[] {"2", "5"}, 7)).isEqualTo(5);
    }

    @Test
    void elseItIsTheFirstOfTheMachine() {
        assertThat(TaskGpu.ordinal(NONE, NONE, 4)).isZero();
    }

    @Test
    void anAddressThatIsNoOrdinalIsNamed() {
        assertThatThrownBy(() -> TaskGpu.ordinal(new String[] {"GPU-8f2a"}, NONE, 0))
                .hasMessage("Cannot use GPU 'GPU-8f2a': Spark's discovery script must give ordinals such as 0 and 1");
    }
}
