package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.CudaProbe;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.tensor.Device;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * NVIDIA GPUs through JCuda. Looks for them once, when first asked; what is missing is kept as one sentence, with the
 * failure behind it as the cause.
 */
public final class CudaProvider implements DeviceProvider {
    private final Map<Gpu, CudaBackend> backends = new ConcurrentHashMap<>();

    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public Availability availability() {
        CudaProbe found = Gpus.probe();
        return new Availability(found.devices(), found.reason());
    }

    @Override
    public Optional<String> failure(Device device) {
        return Gpus.failure(device);
    }

    /** The backend of a GPU: of {@code cuda}, of the {@linkplain CurrentGpu current} one. */
    @Override
    public Backend backend(Device device) {
        return backends.computeIfAbsent(Gpus.gpu(device), CudaBackend::new);
    }
}
