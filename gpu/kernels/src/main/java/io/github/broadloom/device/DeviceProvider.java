package io.github.broadloom.device;

import io.github.broadloom.tensor.Device;
import java.util.Optional;

/**
 * Finds the devices of one type. Registered in {@code META-INF/services}; made once per JVM, on first need.
 *
 * <p>A provider never fails for want of hardware when it is made: it looks when {@link #availability} or {@link #backend}
 * is first called, and keeps what it found.
 */
public interface DeviceProvider {

    /** The device type that this provider answers for, as it stands in a device string. */
    String type();

    /** What can be used here, or the one sentence that says why nothing can. */
    Availability availability();

    /** Why a device that is there cannot be used any more: one sentence; empty while it can. */
    default Optional<String> failure(Device device) {
        return Optional.empty();
    }

    /**
     * The backend of one device.
     *
     * @param device of this provider's {@link #type}
     * @throws IllegalStateException with the sentence of {@link #availability} when it cannot be used
     */
    Backend backend(Device device);

    /**
     * What a provider found.
     *
     * @param devices how many devices can be used
     * @param reason when none can, why: one sentence; else what was found
     */
    record Availability(int devices, String reason) {}
}
