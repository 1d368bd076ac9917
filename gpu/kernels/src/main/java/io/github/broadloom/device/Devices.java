package io.github.broadloom.device;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.DeviceServices;
import java.util.List;
import java.util.Optional;

/** The devices of this machine, discovered on first need. Nothing here fails because a GPU is missing. */
public final class Devices {
    private static final DeviceServices<DeviceProvider> PROVIDERS =
            new DeviceServices<>(DeviceProvider.class, DeviceProvider::type);

    private Devices() {}

    /** Weighs the CPU against the current GPU; made when first asked for. */
    private static final class Auto {
        private static final Device GPU = Device.of("cuda");
        static final Backend BACKEND = new AutoBackend(
                backend(Device.CPU),
                () -> isAvailable(GPU) ? Optional.of(backend(GPU)) : Optional.empty(),
                () -> failure(GPU)
                        .or(() -> availability(GPU).map(DeviceProvider.Availability::reason))
                        .orElse("no backend for GPUs is on the class path"));
    }

    /**
     * What evaluates expressions on a device, or, of {@link Device#AUTO}, on the one that takes less time.
     *
     * @throws IllegalStateException when the device cannot be used here; the message is the reason, kept from when the
     *     device was first looked for
     */
    public static Backend backend(Device device) {
        if (device.equals(Device.AUTO)) {
            return Auto.BACKEND;
        }
        return PROVIDERS.of(device).backend(device);
    }

    /** Whether {@link #backend} would answer. */
    public static boolean isAvailable(Device device) {
        return device.equals(Device.AUTO)
                || availability(device)
                                .filter(found -> found.devices() > Math.max(0, device.index()))
                                .isPresent()
                        && failure(device).isEmpty();
    }

    private static Optional<String> failure(Device device) {
        return PROVIDERS.find(device.type()).flatMap(provider -> provider.failure(device));
    }

    private static Optional<DeviceProvider.Availability> availability(Device device) {
        return PROVIDERS.find(device.type()).map(DeviceProvider::availability);
    }

    /** One line per device type: what there is, or why it is missing. */
    public static List<String> describe() {
        return PROVIDERS.all().stream()
                .map(provider ->
                        provider.type() + ": " + provider.availability().reason())
                .toList();
    }
}
