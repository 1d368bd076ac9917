package io.github.broadloom.tools.session;

import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.UserError;
import java.util.Optional;
import java.util.function.Supplier;
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

    /**
     * The device of this process, once it is known to be there.
     *
     * @throws UserError when the name is not one, or the device is missing: with the reason
     */
    public Device available() {
        return checked(() -> {
            // Where nothing was started, Spark's configuration is the properties of this JVM.
            Device here = named().orElseGet(() ->
                    SparkSettings.DEVICE.inSpark(System::getProperty).orElse(Device.CPU));
            Devices.backend(here);
            return here;
        });
    }

    /**
     * The device that was asked for, which may be one that only executors have.
     *
     * @throws UserError when the name is not one
     */
    public Optional<Device> named() {
        return checked(() -> Optional.ofNullable(device).map(Device::of));
    }

    /**
     * Broadloom on the device that was asked for, or on that of the session.
     *
     * @throws UserError when tasks do not find it: with the reason
     */
    public Broadloom on(Broadloom session) {
        return checked(() -> {
            Broadloom broadloom = named().map(session::withDevice).orElse(session);
            broadloom.requireDevice();
            return broadloom;
        });
    }

    private static <T> T checked(Supplier<T> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }
}
