package io.github.broadloom.tensor;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** The memories on the class path. */
final class DeviceMemories {
    private static final Map<String, DeviceMemory> BY_TYPE = new ConcurrentHashMap<>();

    private DeviceMemories() {}

    /**
     * The memory of a device other than the CPU.
     *
     * @throws IllegalStateException where nothing on the class path knows it
     */
    static DeviceMemory of(Device device) {
        return BY_TYPE.computeIfAbsent(device.type(), type -> find(device));
    }

    private static DeviceMemory find(Device device) {
        // Not the thread's loader: inside an executor these classes may come from a child of it.
        for (DeviceMemory memory : ServiceLoader.load(DeviceMemory.class, DeviceMemory.class.getClassLoader())) {
            if (memory.type().equals(device.type())) {
                return memory;
            }
        }
        throw new IllegalStateException(
                "Cannot use device: " + device + "; no backend for " + device.type() + " is on the class path");
    }
}
