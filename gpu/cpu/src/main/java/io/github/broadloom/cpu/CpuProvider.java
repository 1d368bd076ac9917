package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.tensor.Device;
import org.jspecify.annotations.Nullable;

/** The CPU is always there. */
public final class CpuProvider implements DeviceProvider {
    /** Made when first asked for, so that a wrong setting of it is told to whom it concerns. */
    private @Nullable CpuBackend backend;

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
    public synchronized Backend backend(Device device) {
        if (backend == null) {
            backend = new CpuBackend();
        }
        return backend;
    }
}
