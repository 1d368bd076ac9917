package io.github.broadloom.device;

import io.github.broadloom.tensor.Device;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The devices of this machine, discovered on first need. Nothing here fails because a GPU is missing. */
public final class Devices {

    private Devices() {}

    /**
     * The providers on the class path, read only as far as the search for a type needs: to look into every jar of a Spark
     * installation takes longer than to compile a kernel.
     */
    private static final class Providers {
        static final Providers FOUND = new Providers();

        // Not the thread's loader: inside an executor these classes may come from a child of it.
        private final Iterator<DeviceProvider> unread = ServiceLoader.load(
                        DeviceProvider.class, DeviceProvider.class.getClassLoader())
                .iterator();
        private final Map<String, DeviceProvider> byType = new TreeMap<>();

        synchronized Optional<DeviceProvider> find(String type) {
            while (!byType.containsKey(type) && unread.hasNext()) {
                readNext();
            }
            return Optional.ofNullable(byType.get(type));
        }

        synchronized List<DeviceProvider> all() {
            while (unread.hasNext()) {
                readNext();
            }
            return List.copyOf(byType.values());
        }

        private void readNext() {
            DeviceProvider provider = unread.next();
            byType.putIfAbsent(provider.type(), provider);
        }
    }

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
        return Providers.FOUND
                .find(device.type())
                .orElseThrow(() -> new IllegalStateException(
                        "Cannot use device: " + device + "; no backend for " + device.type() + " is on the class path"))
                .backend(device);
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
        return Providers.FOUND.find(device.type()).flatMap(provider -> provider.failure(device));
    }

    private static Optional<DeviceProvider.Availability> availability(Device device) {
        return Providers.FOUND.find(device.type()).map(DeviceProvider::availability);
    }

    /** One line per device type: what there is, or why it is missing. */
    public static List<String> describe() {
        return Providers.FOUND.all().stream()
                .map(provider ->
                        provider.type() + ": " + provider.availability().reason())
                .toList();
    }
}
