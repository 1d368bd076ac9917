package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.cuda.CudaSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;

/** The kernels that are loaded on one device. Each is loaded once, and stays until the device is closed. */
final class Modules {
    private final Function<CudaSource, byte[]> images;
    private final Map<CudaSource, CUfunction> functions = new ConcurrentHashMap<>();
    private final List<CUmodule> loaded = new ArrayList<>();

    /** @param images the machine code of a kernel for this device */
    Modules(Function<CudaSource, byte[]> images) {
        this.images = images;
    }

    /** The kernel, loaded if it is not yet; the device's context must be current. */
    CUfunction function(CudaSource source) {
        CUfunction function = functions.get(source);
        return function != null ? function : load(source);
    }

    private CUfunction load(CudaSource source) {
        byte[] image = images.apply(source); // may take a second: not while others wait
        synchronized (loaded) {
            CUfunction function = functions.get(source);
            if (function != null) {
                return function;
            }
            CUmodule module = CudaDriver.moduleLoadData(image);
            try {
                function = CudaDriver.moduleGetFunction(module, source.entry());
            } catch (CudaException e) {
                Cleanup cleanup = new Cleanup(e);
                cleanup.run(() -> CudaDriver.moduleUnload(module));
                throw e;
            }
            loaded.add(module);
            functions.put(source, function);
            return function;
        }
    }

    /** How many kernels are loaded. */
    int count() {
        return functions.size();
    }

    /** Unloads all. */
    void close() {
        synchronized (loaded) {
            functions.clear();
            Cleanup cleanup = new Cleanup();
            loaded.forEach(module -> cleanup.run(() -> CudaDriver.moduleUnload(module)));
            loaded.clear();
            cleanup.finish();
        }
    }
}
