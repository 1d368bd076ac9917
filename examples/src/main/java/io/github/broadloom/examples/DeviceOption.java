package io.github.broadloom.examples;

import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import picocli.CommandLine.Option;

/** {@code --device}. */
final class DeviceOption {
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "cpu",
            description =
                    "Where the kernels run: cpu, cuda, cuda:N, or auto for what takes less time (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private String device;

    /**
     * The device, once it is known to be there.
     *
     * @throws UserError when the name is not one, or the device is missing: with the reason
     */
    Device available() {
        try {
            Device named = Device.of(device);
            Devices.backend(named);
            return named;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }
}
