package io.github.broadloom.tools.session;

import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --device}. */
public final class DeviceOption {
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description =
                    "Where the kernels run: cpu, cuda, cuda:N, or auto for what takes less time (default: what spark.broadloom.device says, else cpu).")
    private @Nullable String device;

    /** The device of this process, once it is known to be there; refused with the reason where it is missing. */
    public Device available() {
        // Where nothing was started, Spark's configuration is the properties of this JVM.
        Device here = named().orElseGet(
                        () -> SparkSettings.DEVICE.inSpark(System::getProperty).orElse(Device.CPU));
        Devices.backend(here);
        return here;
    }

    /** The device that was asked for, which may be one that only executors have; refused when the name is not one. */
    public Optional<Device> named() {
        return Optional.ofNullable(device).map(Device::of);
    }

    /** Broadloom on the device that was asked for, or on that of the session; refused with the reason when tasks do not find it. */
    public Broadloom on(Broadloom session) {
        Broadloom broadloom = named().map(session::withDevice).orElse(session);
        broadloom.requireDevice();
        return broadloom;
    }
}
