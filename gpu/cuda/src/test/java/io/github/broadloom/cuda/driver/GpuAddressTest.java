package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form in which Spark's discovery, nvidia-smi and CUDA_VISIBLE_DEVICES name a GPU. */
class GpuAddressTest {
    private static final String FIRST = "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6";
    private static final String SECOND = "GPU-8a11c0de-0000-1111-2222-333344445555";
    private static final String PART = "MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f";
    private static final List<String> BOTH = List.of(FIRST, SECOND);

    @ParameterizedTest
    @CsvSource({
        FIRST + ", 0",
        SECOND + ", 1",
        "GPU-8932, 0",
        "GPU-8A11C0DE, 1",
        "MIG-" + FIRST + "/1/0, 0",
        "MIG-" + SECOND + "/7/0, 1"
    })
    void aUuidOrHowItBegins(String address, int ordinal) {
        assertThat(GpuAddress.ordinal(address, List.of(), BOTH)).isEqualTo(ordinal);
    }

    @Test
    void aNumberIsTheDriversOwn() {
        assertThat(GpuAddress.ordinal("3")).isEqualTo(3);
    }

    @Test
    void whatIsVisibleIsNumberedInItsOrder() {
        assertThat(GpuAddress.ordinal("GPU-8a", List.of("GPU-89", "GPU-8a"), BOTH))
                .isEqualTo(1);
        assertThat(GpuAddress.ordinal(PART, List.of(PART), List.of(FIRST))).isZero();
    }

    /** CUDA shows a process one part of a GPU, whichever are listed, and its UUID says nothing of the GPU's. */
    @Test
    void aPartIsTheOnlyDeviceOfItsProcess() {
        assertThat(GpuAddress.ordinal(PART, List.of(), List.of(FIRST))).isZero();
        assertThat(GpuAddress.ordinal("MIG-" + FIRST + "/2/0", List.of(), List.of(FIRST)))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GPU-8", "GPU-7", PART, "MIG-GPU-77/1/0", "rtx", "-1", "cuda:1", ""})
    void whatIsNoneOfThoseHereIsToldWithThem(String address) {
        assertThatThrownBy(() -> GpuAddress.ordinal(address, List.of(), BOTH))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot use GPU '" + address + "': this process sees " + FIRST + ", " + SECOND
                        + "; give a number, or one of these, or set CUDA_VISIBLE_DEVICES=" + address
                        + " for the process");
    }
}
