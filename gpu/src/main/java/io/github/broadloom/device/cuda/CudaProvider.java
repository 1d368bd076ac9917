package io.github.broadloom.device.cuda;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.tensor.Device;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA GPUs through JCuda. Looks for them once, when first asked; what is missing is kept as one sentence, with the
 * failure behind it as the cause.
 */
public final class CudaProvider implements DeviceProvider {
    private @Nullable CudaProbe probe;

    @Override
    public String type() {
        return "cuda";
    }

    private synchronized CudaProbe probe() {
        if (probe == null) {
            probe = CudaProbe.run();
        }
        return probe;
    }

    @Override
    public Availability availability() {
        return new Availability(0, probe().reason());
    }

    @Override
    public Backend backend(Device device) {
        CudaProbe found = probe();
        throw new IllegalStateException("Cannot use device: " + device + "; " + found.reason(), found.cause());
    }
}
