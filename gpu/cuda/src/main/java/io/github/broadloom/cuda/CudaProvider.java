package io.github.broadloom.cuda;

import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.cuda.driver.CudaProbe;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.tensor.Device;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * NVIDIA GPUs through JCuda. Looks for them once, when first asked; what is missing is kept as one sentence, with the
 * failure behind it as the cause.
 */
public final class CudaProvider implements DeviceProvider {
    private static final int KERNELS = 4096;

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
        Gpu gpu = Gpus.gpu(device);
        return backends.computeIfAbsent(gpu, g -> new CudaBackend(g, CudaProvider::stats));
    }

    private static KernelCache.Stats stats() {
        Cubins.Stats stats = Cubins.shared().stats();
        long hits = stats.memoryHits() + stats.diskHits();
        int size = (int) Math.min(KERNELS, stats.diskHits() + stats.compilations());
        return new KernelCache.Stats(hits, stats.compilations(), stats.compileNanos(), size, KERNELS);
    }
}
