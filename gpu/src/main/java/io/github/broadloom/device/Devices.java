package io.github.broadloom.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The devices of this machine, discovered on first need. Nothing here fails because a GPU is missing. */
public final class Devices {

    private Devices() {}

    /** Loaded when a device is first asked for, not when a class merely mentions devices. */
    private static final class Providers {
        static final Map<String, DeviceProvider> BY_TYPE = load();

        private static Map<String, DeviceProvider> load() {
            Map<String, DeviceProvider> found = new TreeMap<>();
            // Not the thread's loader: inside an executor these classes may come from a child of it.
            for (DeviceProvider provider :
                    ServiceLoader.load(DeviceProvider.class, DeviceProvider.class.getClassLoader())) {
                found.putIfAbsent(provider.type(), provider);
            }
            return found;
        }
    }

    /**
     * What evaluates expressions on a device.
     *
     * @throws IllegalStateException when the device cannot be used here; the message is the reason, kept from when the
     *     device was first looked for
     */
    public static Backend backend(Device device) {
        DeviceProvider provider = Providers.BY_TYPE.get(device.type());
        if (provider == null) {
            throw new IllegalStateException(
                    "Cannot use device: " + device + "; no backend for " + device.type() + " is on the class path");
        }
        return provider.backend(device);
    }

    /** Whether {@link #backend} would answer. */
    public static boolean isAvailable(Device device) {
        DeviceProvider provider = Providers.BY_TYPE.get(device.type());
        return provider != null && provider.availability().devices() > Math.max(0, device.index());
    }

    /** One line per device type: what there is, or why it is missing. */
    public static List<String> describe() {
        List<String> lines = new ArrayList<>();
        Providers.BY_TYPE.forEach((type, provider) ->
                lines.add(type + ": " + provider.availability().reason()));
        return lines;
    }
}
