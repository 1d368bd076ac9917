package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.tensor.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DevicesTest {
    @Test
    void theCpuIsThere() {
        assertThat(Devices.backend(Device.of("cpu")).device()).isEqualTo(Device.CPU);
        assertThat(Devices.isAvailable(Device.of("cpu"))).isTrue();
    }

    @Test
    void everyDeviceTypeIsDescribedWhetherItIsThereOrNot() {
        assertThat(Devices.describe())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("cpu: "),
                        line -> assertThat(line).startsWith("cuda: "));
    }

    @Test
    void aMissingGpuAnswersWithTheSameReasonEveryTime() {
        assertThat(Devices.isAvailable(Device.of("cuda"))).isFalse();
        String reason = Devices.describe().get(1).substring("cuda: ".length());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Devices.backend(Device.of("cuda:1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot use device: cuda:1; " + reason);
        }
    }

    @Test
    void withoutADriverTheReasonSaysSo() {
        assumeThat(Files.exists(Path.of("/proc/driver/nvidia/version"))).isFalse();
        assumeThat(System.getProperty("os.name") + System.getProperty("os.arch"))
                .isEqualTo("Linuxamd64");
        assertThatThrownBy(() -> Devices.backend(Device.of("cuda")))
                .hasMessage("Cannot use device: cuda; no NVIDIA driver on this machine (libcuda.so.1 does not load)");
    }
}
