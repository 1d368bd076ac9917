package io.github.broadloom.device.cuda;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.tensor.Device;

/**
 * NVIDIA GPUs through JCuda. Looks for them once, when first asked; what is missing is kept as one sentence, with the
 * failure behind it as the cause.
 */
public final class CudaProvider implements DeviceProvider {
    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public Availability availability() {
        return new Availability(0, reason());
    }

    @Override
    public Backend backend(Device device) {
        throw new IllegalStateException(
                "Cannot use device: " + device + "; " + reason(), Gpus.probe().cause());
    }

    private static String reason() {
        CudaProbe found = Gpus.probe();
        return found.devices() == 0 ? found.reason() : "this version has no CUDA kernels; found " + found.reason();
    }
}
