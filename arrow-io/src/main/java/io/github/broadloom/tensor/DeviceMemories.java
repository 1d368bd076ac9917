package io.github.broadloom.tensor;

/** The memories on the class path. */
final class DeviceMemories {
    private static final DeviceServices<DeviceMemory> FOUND =
            new DeviceServices<>(DeviceMemory.class, DeviceMemory::type);

    private DeviceMemories() {}

    /**
     * The memory of a device other than the CPU.
     *
     * @throws IllegalStateException where nothing on the class path knows it
     */
    static DeviceMemory of(Device device) {
        return FOUND.of(device);
    }
}
