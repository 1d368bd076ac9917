package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaSource;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that are loaded on one device: the most recently used ones, and those in use. Who {@linkplain #hold holds} one may launch it, and
 * releases it when his stream is done; what is held is not unloaded.
 */
final class Modules {
    private final Function<CudaSource, byte[]> images;
    private final int capacity;
    private final Map<CudaSource, Loaded> kernels = new LinkedHashMap<>(64, 0.75f, true);

    static final class Loaded {
        private final CUmodule module;
        final CUfunction function;
        private int holders;

        private Loaded(CUmodule module, CUfunction function) {
            this.module = module;
            this.function = function;
        }
    }

    Modules(Function<CudaSource, byte[]> images, int capacity) {
        this.images = images;
        this.capacity = capacity;
    }

    /** The kernel, loaded if it is not yet, until it is {@linkplain #release released}; the device's context must be current. */
    Loaded hold(CudaSource source) {
        Loaded kernel = held(source);
        if (kernel != null) {
            return kernel;
        }
        byte[] image = images.apply(source); // may take a second: not while others wait
        synchronized (kernels) {
            Loaded meanwhile = held(source);
            return meanwhile != null ? meanwhile : load(source, image);
        }
    }

    private @Nullable Loaded held(CudaSource source) {
        synchronized (kernels) {
            Loaded kernel = kernels.get(source);
            if (kernel != null) {
                kernel.holders++;
            }
            return kernel;
        }
    }

    private Loaded load(CudaSource source, byte[] image) {
        makeRoom();
        CUmodule module = CudaDriver.moduleLoadData(image);
        try {
            Loaded kernel = new Loaded(module, CudaDriver.moduleGetFunction(module, source.entry()));
            kernel.holders = 1;
            kernels.put(source, kernel);
            return kernel;
        } catch (CudaException e) {
            Cleanup cleanup = new Cleanup(e);
            cleanup.run(() -> CudaDriver.moduleUnload(module));
            throw e;
        }
    }

    private void makeRoom() {
        Iterator<Loaded> eldest = kernels.values().iterator();
        while (kernels.size() >= capacity && eldest.hasNext()) {
            Loaded kernel = eldest.next();
            if (kernel.holders == 0) {
                eldest.remove();
                CudaDriver.moduleUnload(kernel.module);
            }
        }
    }

    /** Tells that work with these kernels is done, once for each time that they were held. */
    void release(Collection<Loaded> done) {
        synchronized (kernels) {
            done.forEach(kernel -> kernel.holders--);
        }
    }

    int count() {
        synchronized (kernels) {
            return kernels.size();
        }
    }

    void close() {
        synchronized (kernels) {
            Cleanup cleanup = new Cleanup();
            kernels.values().forEach(kernel -> cleanup.run(() -> CudaDriver.moduleUnload(kernel.module)));
            kernels.clear();
            cleanup.finish();
        }
    }
}
