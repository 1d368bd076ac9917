package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTest {
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cpu:0", "cpu:1", "cuda", "cuda:0", "cuda:1", "cuda:127"})
    void aDeviceReadsBackFromItsString(String text) {
        assertThat(Device.of(text)).hasToString(text);
    }

    @Test
    void aLegacyOrdinalIsAGpu() {
        assertThat(Device.of(1)).isEqualTo(Device.of("cuda:1"));
        assertThatThrownBy(() -> Device.of(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Device index must not be negative");
    }

    @Test
    void theCurrentGpuIsNotTheFirst() {
        assertThat(Device.of("cuda")).isNotEqualTo(Device.of("cuda:0"));
        assertThat(Device.of("cuda").hasIndex()).isFalse();
    }

    @Test
    void anUnknownTypeIsRefusedInPyTorchsWords() {
        assertThatThrownBy(() -> Device.of("xyz"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Expected one of cpu, cuda, ")
                .hasMessageEndingWith(" device type at start of device string: xyz");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda:-1", "cuda:", "cuda:01", "cuda:1x", "cuda:1:2", ":1", "2", "cuda 1"})
    void aMalformedStringIsRefusedInPyTorchsWords(String text) {
        assertThatThrownBy(() -> Device.of(text)).hasMessage("Invalid device string: '" + text + "'");
    }

    @Test
    void theEmptyStringIsRefused() {
        assertThatThrownBy(() -> Device.of("")).hasMessage("Device string must not be empty");
    }

    @Test
    void typeAndOrdinalMayBeGivenApart() {
        assertThat(Device.of("cuda", 1)).isEqualTo(Device.of("cuda:1"));
        assertThat(Device.of("cpu", 0)).isNotEqualTo(Device.of("cpu")).hasToString("cpu:0");
        assertThatThrownBy(() -> Device.of("cuda:1", 1))
                .hasMessage("type (string) must not include an index because index was passed explicitly: cuda:1");
        assertThatThrownBy(() -> Device.of("cuda", -1)).hasMessage("Device index must not be negative");
    }

    @Test
    void anOrdinalThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Device.of("cuda:99999999999"))
                .hasMessage("Could not parse device index '99999999999' in device string 'cuda:99999999999'");
    }

    @Test
    void aTypeThatOnlyPyTorchHasIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> Device.of("mps"))
                .hasMessage("Cannot use device: mps; the devices here are cpu and cuda, or auto");
    }
}
