package io.github.broadloom.device.cpu;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Device;
import io.github.broadloom.device.DeviceProvider;

/** The CPU is always there. */
public final class CpuProvider implements DeviceProvider {
    private final CpuBackend backend = new CpuBackend();

    @Override
    public String type() {
        return Device.CPU.type();
    }

    @Override
    public Availability availability() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Availability(
                1, processors + " processors, Java " + Runtime.version().feature());
    }

    @Override
    public Backend backend(Device device) {
        return backend;
    }
}
